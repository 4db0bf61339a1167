/**
 * Databases for tests of the demo, each with its own naming: a shop, a hospital, a library, an office with
 * two keys of the same name.
 */

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

/** `id` with `<table>_id`, two dates, and patients that are linked to wards only through their stays. */
export const hospital = `
create table wards (id integer primary key, ward_name text, floor integer, beds integer);
create table patients (id integer primary key, first_name text, last_name text, birth_date text, age integer, blood_group text);
create table stays (id integer primary key, patient_id integer, ward_id integer, admitted_on text, nights integer, nightly_rate real);
insert into wards values (1, 'Cardiology', 2, 12), (2, 'Surgery', 3, 20), (3, 'Maternity', 1, 8);
insert into patients values (1, 'Ann', 'Low', '1950-02-01', 74, 'A'), (2, 'Bob', 'May', '1990-03-01', 34, 'B'),
  (3, 'Cy', 'Orr', '2000-04-01', 24, 'A'), (4, 'Di', 'Poe', '1970-05-01', 54, '0');
insert into stays values (1, 1, 1, '2023-01-05', 3, 100), (2, 1, 1, '2024-02-05', 2, 110), (3, 2, 2, '2024-03-05', 5, 200.5),
  (4, 3, 2, '2024-04-05', 1, 200), (5, 4, 2, '2025-05-05', 4, 210), (6, 3, 3, '2025-06-05', 2, 90);`

/** No types, no declared keys, camelCase. */
export const library = `
create table Author (AuthorId, FullName, Nationality);
create table Book (BookId, AuthorId, BookTitle, Pages, PublishedYear);
create table Loan (LoanId, BookId, LoanDate, Fine);
insert into Author values (1, 'N. Ray', 'Irish'), (2, 'O. Sun', 'Welsh');
insert into Book values (1, 1, 'First', 100, 1999), (2, 1, 'Second', 300, 2005), (3, 2, 'Third', 250, 2010);
insert into Loan values (1, 1, '2024-01-01', 1.5), (2, 3, '2024-01-02', 0), (3, 3, '2025-01-03', 2), (4, 3, '2025-02-03', 0.25);`
