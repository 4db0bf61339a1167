CREATE TABLE `mcp_servers` (
	`name` text PRIMARY KEY NOT NULL,
	`settings` text,
	`state` text NOT NULL,
	`tools` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
