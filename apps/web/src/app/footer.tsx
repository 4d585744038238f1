import { Link } from "wouter";
import { FOOTER_LINKS } from "./navigation.ts";
import "./footer.css";

export function Footer() {
  return (
    <footer className="site-footer">
      <div className="wrap">
        {FOOTER_LINKS.map((link) => (
          <Link key={link.href} href={link.href}>
            {link.text}
          </Link>
        ))}
        <span>18+ only. Support Mon-Fri 9AM-5PM</span>
      </div>
    </footer>
  );
}
