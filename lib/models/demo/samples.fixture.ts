/** A shop's database for tests of the demo. */

export const shop = `
create table customers (customer_id integer primary key, name text, country text, city text);
create table products (product_id integer primary key, name text, category text, list_price real);
create table invoices (invoice_id integer primary key, customer_id integer references customers(customer_id), invoice_date text);
create table invoice_lines (line_id integer primary key, invoice_id integer references invoices(invoice_id),
  product_id integer references products(product_id), quantity integer, unit_price real, is_return integer);
insert into customers values (1, 'Ada', 'Germany', 'Berlin'), (2, 'Ben', 'France', 'Paris'), (3, 'Cleo', 'Germany', 'Bonn'), (4, 'Dan', 'Spain', 'Madrid');
insert into products values (1, 'Lamp', 'Light', 20.5), (2, 'Desk', 'Furniture', 300), (3, 'Chair', 'Furniture', 120);
insert into invoices values (1, 1, '2023-05-01'), (2, 2, '2024-01-31'), (3, 3, '2024-12-31'), (4, 1, '2025-01-01'), (5, 2, '2025-03-01');
insert into invoice_lines values (1, 1, 1, 4, 20.5, 0), (2, 2, 2, 1, 300, 0), (3, 3, 3, 2, 120, 0), (4, 4, 2, 2, 290, 0),
  (5, 5, 2, 9, 300, 1), (6, 5, 3, 3, 110, 0), (7, 5, 1, 1, 20.5, 0);`
