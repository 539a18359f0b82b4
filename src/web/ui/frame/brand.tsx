// The mark and name at the top of a page.

/** The shop's, as a link to the first page. */
export function Brand() {
  return (
    <a className="brand" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0b5d4e" />
        <path d="M8 22V10h6.5a6 6 0 0 1 0 12H8Z" fill="none" stroke="#fff" strokeWidth="3" strokeLinejoin="round" />
        <circle cx="24.5" cy="9" r="2.5" fill="#ffcc08" />
      </svg>
      DataFie
    </a>
  );
}

/** The seller's on a page for their customers, who are led to nothing of the shop. */
export function SellerBrand({ name }: { name: string }) {
  return (
    <span className="brand">
      <bdi>{name}</bdi>
    </span>
  );
}
