#!/bin/sh
# Once, when the database is made: the user that the shop works as, and the database of its sandbox. What the user may do
# is given by the migrations.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$SHOP_DATABASE_PASSWORD" <<'SQL'
create role shop login password :'password';
create database datafie_sandbox;
SQL
