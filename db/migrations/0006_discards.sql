CREATE TABLE `discards` (
	`id` text PRIMARY KEY NOT NULL,
	`sha256` text
);
