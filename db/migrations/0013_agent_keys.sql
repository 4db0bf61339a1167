CREATE TABLE `agent_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`name` text NOT NULL,
	`use` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`requests_per_minute` integer NOT NULL,
	`runs_per_day` integer,
	`usd_per_day` real,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_keys_hash_unique` ON `agent_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `agent_keys_by_agent` ON `agent_keys` (`agent_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `key_runs` (
	`run_id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`cost_usd` real,
	FOREIGN KEY (`key_id`) REFERENCES `agent_keys`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `key_runs_by_key` ON `key_runs` (`key_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `key_threads` (
	`thread_id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`key_id`) REFERENCES `agent_keys`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `key_threads_by_key` ON `key_threads` (`key_id`);--> statement-breakpoint
CREATE TRIGGER `key_runs_follow` AFTER DELETE ON `runs` BEGIN UPDATE `key_runs` SET `cost_usd` = old.cost_usd WHERE `run_id` = old.id; END;
