CREATE TABLE `collection_files` (
	`id` text PRIMARY KEY NOT NULL,
	`collection_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`bytes` integer NOT NULL,
	`chars` integer NOT NULL,
	`passages` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `collection_files_by_name` ON `collection_files` (`collection_id`,`name`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collections_name_unique` ON `collections` (`name`);--> statement-breakpoint
CREATE TABLE `memories` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`owner` text NOT NULL,
	`text` text NOT NULL,
	`run_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memories_id_unique` ON `memories` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `memories_text` ON `memories` (`agent_id`,`owner`,`text`);--> statement-breakpoint
CREATE INDEX `memories_age` ON `memories` (`agent_id`,`owner`,`updated_at`);--> statement-breakpoint
CREATE INDEX `memories_owner` ON `memories` (`owner`);--> statement-breakpoint
CREATE TABLE `memory_vectors` (
	`n` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`vector` blob NOT NULL,
	FOREIGN KEY (`n`) REFERENCES `memories`(`n`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `passage_vectors` (
	`n` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`vector` blob NOT NULL,
	FOREIGN KEY (`n`) REFERENCES `passages`(`n`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `passages` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` text NOT NULL,
	`place` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `collection_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passages_by_file` ON `passages` (`file_id`,`n`);--> statement-breakpoint
ALTER TABLE `runs` ADD `user` text;--> statement-breakpoint
CREATE VIRTUAL TABLE `memory_words` USING fts5(`scope`, `words`, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `passage_words` USING fts5(`scope`, `words`, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `memory_words_follow` AFTER DELETE ON `memories` BEGIN DELETE FROM `memory_words` WHERE rowid = old.n; END;
--> statement-breakpoint
CREATE TRIGGER `passage_words_follow` AFTER DELETE ON `passages` BEGIN DELETE FROM `passage_words` WHERE rowid = old.n; END;
--> statement-breakpoint
CREATE TRIGGER `memories_of_thread` AFTER DELETE ON `threads` BEGIN DELETE FROM `memories` WHERE owner = 'thread:' || old.id; END;
