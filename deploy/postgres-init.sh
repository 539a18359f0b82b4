#!/bin/sh
# Once, when the database is made: the user that the shop works as. What it may do is given by the migrations.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$SHOP_DATABASE_PASSWORD" <<'SQL'
create role shop login password :'password';
SQL
