// The document around every page: its head, with the preview of a link to it.
import type { ReactNode } from "react";
import { operatorNamesText } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import type { View } from "../../page.tsx";

const SHOP = "DataFie";
const about = () => `Buy and resell ${operatorNamesText()} data bundles from one wallet.`;

type DocumentProps = Pick<View, "description"> & {
  title: string;
  /**
   * What search engines may do with it: index "public" pages, and no others. "personal" ones are behind a login, where
   * no engine gets.
   */
  kind: "public" | "unlisted" | "personal";
  /** On a page for customers, the name that stands for the shop's. */
  sellerName?: string | undefined;
  /** Its address, for the preview of a link to it. */
  sharedAt?: Address | undefined;
  children: ReactNode;
};

export function Document(props: DocumentProps) {
  const { title, description = about(), sellerName, sharedAt, kind, children } = props;
  const site = sellerName ?? SHOP;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={description} />
        <meta name="theme-color" content="#0b5d4e" />
        <title>{title === site ? title : `${title} · ${site}`}</title>
        {kind === "unlisted" && <meta name="robots" content="noindex" />}
        {kind === "public" && sharedAt && <link rel="canonical" href={sharedAt.origin + sharedAt.path} />}
        {sharedAt && <Preview {...{ title, description, sellerName }} {...sharedAt} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {sellerName === undefined && (
          <>
            <link rel="apple-touch-icon" href="/icon-180.png" />
            <link rel="manifest" href="/manifest.webmanifest" />
          </>
        )}
        <Sheet name="style" />
      </head>
      <body>{children}</body>
    </html>
  );
}

type Address = { origin: string; path: string };
type PreviewProps = Address & Pick<DocumentProps, "title" | "description" | "sellerName">;

/** The link preview of a messenger (https://ogp.me). */
function Preview({ title, description, sellerName, origin, path }: PreviewProps) {
  const properties = {
    "og:type": "website",
    "og:site_name": sellerName ?? SHOP,
    "og:title": title === SHOP ? "DataFie: data bundles for resellers in Ghana" : title,
    "og:description": description,
    "og:url": origin + path,
    ...(sellerName === undefined && pictureOf(origin)),
  };
  return (
    <>
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      {sellerName === undefined && <meta name="twitter:card" content="summary_large_image" />}
    </>
  );
}

/** The shop's picture, large (X's "Cards Markup"). */
function pictureOf(origin: string) {
  return {
    "og:image": `${origin}/preview.jpg`,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "DataFie: sell data for every network from one wallet",
  };
}
