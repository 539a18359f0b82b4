// The document around the page, as Next.js requires it.
import "../shop/src/web/styles/style.css";
import "../shop/src/web/styles/shop.css";

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
