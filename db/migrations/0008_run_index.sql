CREATE TABLE `run_tools` (
	`run` integer NOT NULL,
	`name` text NOT NULL,
	`calls` integer NOT NULL,
	`failed` integer NOT NULL,
	`agent_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`run`, `name`),
	FOREIGN KEY (`run`) REFERENCES `runs`(`n`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `run_tools_by_name` ON `run_tools` (`name`,`run`);--> statement-breakpoint
CREATE INDEX `run_tools_by_agent` ON `run_tools` (`agent_id`,`created_at`,`name`,`calls`,`failed`);--> statement-breakpoint
ALTER TABLE `runs` ADD `indexed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `model` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `failed_calls` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `duration_ms` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `waited_ms` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `feedback` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `feedback_text` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `removed_at` integer;--> statement-breakpoint
CREATE INDEX `runs_figures` ON `runs` (`agent_id`,`created_at`,`status`,`model`,`cost_usd`,`steps`,`failed_calls`,`duration_ms`,`waited_ms`,`feedback`,`removed_at`);--> statement-breakpoint
CREATE INDEX `runs_unindexed` ON `runs` (`indexed`) WHERE indexed = 0 and finished_at is not null;--> statement-breakpoint
CREATE INDEX `runs_removed` ON `runs` (`removed_at`) WHERE removed_at is not null;--> statement-breakpoint
ALTER TABLE `threads` ADD `earlier` text;--> statement-breakpoint
CREATE VIRTUAL TABLE `run_words` USING fts5(`words`, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER `run_words_follow` AFTER DELETE ON `runs` BEGIN DELETE FROM `run_words` WHERE rowid = old.n; END;
