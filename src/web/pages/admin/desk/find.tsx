// Search over everything that staff work with: a page of its own, and the answers for the palette.
import { find, type Hit, type Kind, named, TYPED_CHARS_MAX } from "../../../../core/finding/find.ts";
import { matchingPlaces, type Place } from "../../../../shared/palette.ts";
import { withoutDirectionMarks } from "../../../../shared/text.ts";
import { Sheet } from "../../../html.tsx";
import type { Context, Download, Page, View } from "../../../page.tsx";
import { Icon } from "../../../ui/frame/icons.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { HEADINGS, pathOf, subjectAt } from "./find-links.ts";
import { preparedActs } from "./prepared-acts.ts";

/** `placesOf` is given, because it reads the list of pages, which contains this one. */
export function findPages(placesOf: (by: Context["by"]) => Place[]): Page[] {
  return [
    {
      path: "/admin/find",
      right: "shop.see",
      examples: ["", "?q=1", "?q=0541234567"],
      show: (context) => showFound(context, placesOf(context.by)),
    },
  ];
}

type Group = { heading: string; hits: Place[] };

async function showFound(context: Context, places: Place[]): Promise<View | Download> {
  const { db, by, url, request } = context;
  const typed = typedIn(url);
  const isForScript = request.headers.get("accept") === "application/json";
  const [acts, hits] = typed === "" ? [[], []] : await Promise.all([preparedActs(context, typed), find(db, by, typed)]);
  const groups = [...(acts.length > 0 ? [{ heading: "Do it", hits: acts }] : []), ...groupsOf(hits)];
  if (isForScript) return typed === "" ? json({ places, recent: await recentOf(context) }) : json({ groups });
  const matching = matchingPlaces(places, typed);
  const all = matching.length === 0 ? groups : [{ heading: "Pages", hits: matching }, ...groups];
  return {
    title: typed === "" ? "Search" : `Search: ${typed}`,
    body: (
      <>
        <Sheet name="tables" />
        <h1>Search</h1>
        <FindForm typed={typed} />
        {all.length === 0 && <NothingFound typed={typed} />}
        {all.map((group) => (
          <FoundGroup key={group.heading} {...group} />
        ))}
      </>
    ),
  };
}

function typedIn(url: URL): string {
  const typed = withoutDirectionMarks(url.searchParams.get("q") ?? "");
  return typed.replaceAll("\0", "").slice(0, TYPED_CHARS_MAX).trim();
}

function groupsOf(hits: Hit[]): Group[] {
  const byKind = Map.groupBy(hits, ({ kind }) => kind);
  return [...byKind].map(([kind, found]: [Kind, Hit[]]) => ({
    heading: HEADINGS[kind],
    hits: found.map(placeOf),
  }));
}

function placeOf(hit: Hit): Place {
  return { title: hit.title, hint: hit.subtitle, path: pathOf(hit) };
}

/** What was chosen before, by its paths alone: what it is called is read now, by whoever reads it. */
async function recentOf({ db, by, url }: Context): Promise<Place[]> {
  const paths = (url.searchParams.get("recent") ?? "").slice(0, 500).split(",");
  const subjects = paths.map(subjectAt).filter((subject) => subject !== null);
  return (await named(db, by, subjects)).map(placeOf);
}

function json(answer: object): Download {
  return {
    pieces: [JSON.stringify(answer)],
    headers: { "content-type": "application/json", vary: "accept, cookie" },
  };
}

function FindForm({ typed }: { typed: string }) {
  return (
    <form method="get" action="/admin/find" className="card filter">
      <div className="search">
        <label className="sr" htmlFor="q">
          Search everything
        </label>
        <input
          id="q"
          name="q"
          type="search"
          maxLength={TYPED_CHARS_MAX}
          defaultValue={typed}
          placeholder="Order, number, agent, reference …"
        />
        <button type="submit">Search</button>
      </div>
    </form>
  );
}

function FoundGroup({ heading, hits }: Group) {
  return (
    <section className="card">
      <h2>{heading}</h2>
      <ul className="found" data-rows="">
        {hits.map(({ title, hint, path }) => (
          <li key={title + path}>
            <a href={path}>
              <bdi>{title}</bdi>
              {hint && <bdi className="small soft">{hint}</bdi>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NothingFound({ typed }: { typed: string }) {
  return (
    <section className="card">
      <Empty>
        <Icon name="search" />
        <p>
          Nothing found for “<bdi>{typed}</bdi>”.
        </p>
        <p className="soft">
          Try an order’s number, a phone number or its last digits, a name, an e-mail address, a reference or a
          transaction ID.
        </p>
      </Empty>
    </section>
  );
}
