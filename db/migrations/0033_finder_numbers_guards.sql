-- The index of recipients' numbers collects what new orders add, and a search reads this list whole. At most 256 kB of
-- it, some 1,700 orders: with Postgres' 4 MB a search takes five times as long before the list is put away, and one
-- purchase in some 28,000 then waits for all of that.
SELECT gin_clean_pending_list('orders_number_parts');--> statement-breakpoint
ALTER INDEX "orders_number_parts" SET (gin_pending_list_limit = 256);
