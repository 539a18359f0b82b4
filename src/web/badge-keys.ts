// The numbers of what waits, as pages show them, and their keys.

/** As people read them ("12", "500+"), by link of the menu, by tab, and of all together; none is left out. */
export type Badges = Record<string, string>;
export const ALL = "all";

/** The key of the number on a tab. A link of the menu has the sum of its section's tabs. */
export const onTab = (path: string) => `tab ${path}`;

/** The key of the number on a part of a tab. */
export const onPart = (path: string) => `part ${path}`;

/** The key of the path to which a link of the menu or a tab leads, where its own page does not show what it counts. */
export const leadsTo = (key: string) => `to ${key}`;
