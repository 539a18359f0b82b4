// The catalog of a migrated database in lines sorted by name, so that two chains of migrations that make the same
// database give the same file, whatever the sequence of their columns. That is in a file of its own.
import postgres from "postgres";
import { APP_ROLE } from "../../db/app-role.ts";
import { freshDatabase } from "../support/database.ts";
import { type Folder, oneLine } from "./folder.ts";

/** Records the database as the migrations make it, with the rows that they write. */
export async function recordCatalog(folder: Folder): Promise<void> {
  const database = await freshDatabase();
  const client = postgres(database.url, { max: 1, onnotice: () => {} });
  const linesOf = async (query: string) => {
    const rows = await client.unsafe<{ line: string }[]>(`select line from (${query}) q order by line collate "C"`);
    return rows.map(({ line }) => line);
  };
  const catalog: string[] = [];
  for (const [title, query] of Object.entries(QUERIES)) catalog.push(`== ${title}`, ...(await linesOf(query)), "");
  folder.write("catalog.txt", [...catalog, "== rows of the migrations", ...(await rowsOf(client))]);
  folder.write("column-order.txt", await linesOf(COLUMN_ORDER));
  await client.end({ timeout: 5 });
  await database.drop();
}

/** Ours; Drizzle's has the migrations themselves. */
const OURS = "nspname in ('public', 'audit')";
const OF_CLASS = `from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS}`;
const FULL_NAME = "nspname || '.' || relname";

/** Each part of the catalog: a query with one text column, `line`. */
const QUERIES: Record<string, string> = {
  tables: `
    select ${FULL_NAME} || ' ' || relkind::text || ' ' || relpersistence::text || coalesce(' ' || reloptions::text, '')
      || coalesce(' -- ' || obj_description(c.oid, 'pg_class'), '') as line
    ${OF_CLASS} and relkind in ('r', 'p', 'm', 'f')`,
  columns: `
    select ${FULL_NAME} || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      || case when attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
      || case attidentity when 'a' then ' identity always' when 'd' then ' identity by default' else '' end
      || case attgenerated when '' then '' else ' generated ' || attgenerated::text end
      || coalesce(' -- ' || col_description(c.oid, attnum), '') as line
    from pg_attribute a left join pg_attrdef d on (adrelid, adnum) = (attrelid, attnum)
      join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and relkind in ('r', 'p', 'm', 'f', 'v') and attnum > 0 and not attisdropped`,
  // Those that only say that a column is never null are with the columns: their names keep those of former columns.
  constraints: `
    select ${FULL_NAME} || ' ' || conname || ' ' || pg_get_constraintdef(k.oid)
      || case when convalidated then '' else ' not valid' end as line
    from pg_constraint k join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and contype <> 'n'`,
  indexes: `select pg_get_indexdef(c.oid) || case when indisvalid then '' else ' not valid' end as line
    from pg_index join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  triggers: `
    select pg_get_triggerdef(t.oid) || ' ' || tgenabled::text as line from pg_trigger t
      join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and not tgisinternal`,
  functions: `
    select pg_get_functiondef(p.oid) as line from pg_proc p join pg_namespace n on n.oid = pronamespace
    where ${OURS} and prokind in ('f', 'p')`,
  views: `select ${FULL_NAME} || e'\\n' || pg_get_viewdef(c.oid) as line ${OF_CLASS} and relkind in ('v', 'm')`,
  types: `
    select format_type(t.oid, null) || ' ' || typtype::text
      || (select coalesce(string_agg(' ' || enumlabel, '' order by enumsortorder), '') from pg_enum
          where enumtypid = t.oid)
      || (select coalesce(string_agg(' ' || pg_get_constraintdef(oid), ''), '') from pg_constraint
          where contypid = t.oid) as line
    from pg_type t join pg_namespace n on n.oid = typnamespace where ${OURS} and typtype in ('e', 'd', 'r')`,
  sequences: `
    select schemaname || '.' || sequencename || ' ' || data_type::text || ' from ' || start_value
      || ' by ' || increment_by || ' to ' || max_value || ' last ' || coalesce(last_value::text, 'none') as line
    from pg_sequences where schemaname in ('public', 'audit')`,
  policies: `select tablename || ' ' || policyname || ' ' || coalesce(qual, '') as line from pg_policies`,
  statistics: `
    select pg_get_statisticsobjdef(s.oid) as line from pg_statistic_ext s join pg_namespace n on n.oid = stxnamespace
    where ${OURS}`,
  extensions: "select extname || ' ' || extversion as line from pg_extension",
  "rights on tables, views and sequences": `
    select ${FULL_NAME} || ' ' || grantee::regrole::text || ' '
      || string_agg(privilege_type, ', ' order by privilege_type) as line
    from (select n.nspname, c.relname, x.grantee, x.privilege_type from pg_class c
          join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) x
          where ${OURS} and x.grantee <> c.relowner) granted group by nspname, relname, grantee`,
  "rights on columns": `
    select ${FULL_NAME} || '.' || attname || ' ' || x.grantee::regrole::text || ' ' || x.privilege_type as line
    from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace,
      aclexplode(attacl) x where ${OURS}`,
  "rights on schemas and functions": `
    select nspname || ' ' || x.grantee::regrole::text || ' ' || x.privilege_type as line
    from pg_namespace n, aclexplode(nspacl) x where nspname in ('public', 'audit', 'drizzle') and x.grantee <> nspowner
    union all
    select p.oid::regprocedure::text || ' ' || x.grantee::regrole::text || ' ' || x.privilege_type
    from pg_proc p join pg_namespace n on n.oid = pronamespace, aclexplode(proacl) x
    where ${OURS} and x.grantee <> proowner`,
  "rights on what comes later": `
    select coalesce(nspname, '') || ' ' || defaclobjtype::text || ' ' || defaclacl::text as line
    from pg_default_acl left join pg_namespace n on n.oid = defaclnamespace`,
  roles: `
    select rolname || coalesce(' ' || rolconfig::text, '') as line from pg_roles
    where rolname in ('${APP_ROLE}', 'auditor')`,
};

const COLUMN_ORDER = `
  select ${FULL_NAME} || ': ' || string_agg(attname, ', ' order by attnum) as line
  from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
  where ${OURS} and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped
  group by nspname, relname`;

/** Times in them are those of the migration. */
async function rowsOf(client: postgres.Sql): Promise<string[]> {
  const tables = await client<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by relname collate "C"`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await client<{ row: Record<string, unknown> }[]>`select to_jsonb(t) as row from ${client(name)} t`;
    lines.push(...rows.map(({ row }) => `${name} ${oneLine(row)}`.replace(MOMENT, '"<time>"')).sort());
  }
  return lines;
}

const MOMENT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^"]*"/g;
