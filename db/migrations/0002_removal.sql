DROP INDEX `agents_name_unique`;--> statement-breakpoint
ALTER TABLE `agents` ADD `removed_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `agents_name` ON `agents` (`name`) WHERE removed_at is null;--> statement-breakpoint
ALTER TABLE `runs` ADD `replaces` text;