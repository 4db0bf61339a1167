DROP INDEX `runs_busy_thread`;--> statement-breakpoint
ALTER TABLE `runs` ADD `behind` text;--> statement-breakpoint
CREATE INDEX `runs_behind` ON `runs` (`thread_id`) WHERE behind is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `runs_busy_thread` ON `runs` (`thread_id`) WHERE status in ('queued', 'running', 'waiting') and behind is null;