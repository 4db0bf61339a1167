CREATE TABLE `artifacts` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`thread_id` text NOT NULL,
	`run_id` text,
	`name` text NOT NULL,
	`path` text,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `artifacts_id_unique` ON `artifacts` (`id`);--> statement-breakpoint
CREATE INDEX `artifacts_by_thread` ON `artifacts` (`thread_id`);--> statement-breakpoint
CREATE INDEX `artifacts_by_run` ON `artifacts` (`run_id`);--> statement-breakpoint
CREATE INDEX `artifacts_by_content` ON `artifacts` (`sha256`);