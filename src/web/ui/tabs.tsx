// Links between related pages, and the numbers of what waits behind them.
import { type Badges, leadsTo, onPart, onTab } from "../badge-keys.ts";
import { usePermissions } from "./frame/permitted.tsx";

/** The number of what waits behind a link, by its key; a script keeps it up to date. */
export function Badge({ path, waiting }: { path: string; waiting: Badges }) {
  const text = waiting[path];
  return (
    <span className="chip warn count" data-waiting={path} hidden={!text}>
      {text && (
        <>
          {text}
          <span className="sr"> waiting</span>
        </>
      )}
    </span>
  );
}

type TabsProps = {
  label: string;
  tabs: readonly (readonly [path: string, label: string])[];
  current?: string | undefined;
  /** What waits on each tab of a section. */
  waiting?: Badges;
};

/** Links between related pages, to those that may be opened; `current` is the path of this one. */
export function Tabs({ label, tabs, current, waiting }: TabsProps) {
  const { mayOpen } = usePermissions();
  return (
    <nav className="tabs" aria-label={label}>
      {tabs
        .filter(([path]) => mayOpen(path))
        .map(([path, text]) => (
          <a
            key={path}
            href={waiting?.[leadsTo(onTab(path))] ?? path}
            aria-current={path === current ? "page" : undefined}
          >
            {text}
            {waiting && <Badge path={onTab(path)} waiting={waiting} />}
          </a>
        ))}
    </nav>
  );
}

/** A line of small links between the ways to show one list: whose, or in which order. */
export function Ways({ label, ways, current }: { label: string; ways: TabsProps["tabs"]; current: string }) {
  return (
    <nav className="ways" aria-label={label}>
      {ways.map(([path, text]) => (
        <a key={path} href={path} aria-current={path === current ? "true" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Links between the parts of a tab. */
export function Parts({
  label,
  parts,
  current,
  waiting,
}: {
  label: string;
  parts: TabsProps["tabs"];
  current: string;
  waiting?: Badges;
}) {
  return (
    <nav className="parts" aria-label={label}>
      {parts.map(([path, text]) => (
        <a key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {text}
          {waiting && <Badge path={onPart(path)} waiting={waiting} />}
        </a>
      ))}
    </nav>
  );
}
