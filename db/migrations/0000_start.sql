CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`graph` text NOT NULL,
	`config` text,
	`config_hash` text,
	`origins` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_name_unique` ON `agents` (`name`);--> statement-breakpoint
CREATE TABLE `events` (
	`run_id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`json` text NOT NULL,
	PRIMARY KEY(`run_id`, `seq`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `runs` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`agent` text NOT NULL,
	`status` text NOT NULL,
	`input` text NOT NULL,
	`answer` text,
	`error` text,
	`usage` text NOT NULL,
	`cost_usd` real,
	`steps` integer NOT NULL,
	`tool_calls` text NOT NULL,
	`history_through` text,
	`drained` integer NOT NULL,
	`cancelling` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runs_id_unique` ON `runs` (`id`);--> statement-breakpoint
CREATE INDEX `runs_by_agent` ON `runs` (`agent_id`);--> statement-breakpoint
CREATE INDEX `runs_by_status` ON `runs` (`status`);--> statement-breakpoint
CREATE INDEX `runs_by_thread` ON `runs` (`thread_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `runs_busy_thread` ON `runs` (`thread_id`) WHERE status in ('queued', 'running', 'waiting');--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed` blob NOT NULL,
	`hint` text NOT NULL,
	`origins` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `snapshots` (
	`run_id` text PRIMARY KEY NOT NULL,
	`config` text NOT NULL,
	`origins` text NOT NULL,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `threads` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`title` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `threads_by_agent` ON `threads` (`agent_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `threads_by_use` ON `threads` (`updated_at`);--> statement-breakpoint
CREATE TABLE `tool_schemas` (
	`hash` text PRIMARY KEY NOT NULL,
	`json` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `versions` (
	`agent_id` text NOT NULL,
	`version` integer NOT NULL,
	`graph` text NOT NULL,
	`config` text NOT NULL,
	`config_hash` text NOT NULL,
	`origins` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `version`),
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
