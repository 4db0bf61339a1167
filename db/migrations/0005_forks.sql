ALTER TABLE `runs` ADD `forked_from` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `fork_root` text;--> statement-breakpoint
CREATE INDEX `runs_by_fork_root` ON `runs` (`fork_root`);--> statement-breakpoint
ALTER TABLE `snapshots` ADD `history` text;