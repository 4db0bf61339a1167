CREATE TABLE `tool_mocks` (
	`agent_id` text NOT NULL,
	`tool` text NOT NULL,
	`mock` text NOT NULL,
	`is_on` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `tool`),
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `tool_tries` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`tool` text NOT NULL,
	`at` integer NOT NULL,
	`args` text,
	`redacted` integer NOT NULL,
	`status` text NOT NULL,
	`code` text,
	`duration_ms` integer NOT NULL,
	`result` text,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tool_tries_id_unique` ON `tool_tries` (`id`);--> statement-breakpoint
CREATE INDEX `tool_tries_by_tool` ON `tool_tries` (`agent_id`,`tool`);--> statement-breakpoint
CREATE TABLE `trial_threads` (
	`agent_id` text PRIMARY KEY NOT NULL,
	`thread_id` text NOT NULL,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `runs` ADD `mocked` text;--> statement-breakpoint
ALTER TABLE `snapshots` ADD `mocks` text;