// The document around the page, as Next.js requires it.
import "../shop/src/web/style.css";

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
