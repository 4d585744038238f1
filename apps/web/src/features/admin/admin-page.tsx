import type { RoleView } from "@holo/protocol/views.ts";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Queries } from "../../lib/query.tsx";
import { useSession } from "../../lib/session.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { AccessDenied } from "./access-denied.tsx";
import "./admin-page.css";

const LINKS = [
  { href: "/admin/revenue", text: "Revenue" },
  { href: "/admin/reports", text: "Reports" },
  { href: "/admin/players", text: "Players" },
] as const;

interface AdminPageProps {
  readonly title: string;
  readonly children: (playerId: string, role: RoleView) => ReactNode;
}

/** A page for the house's admins. Others see nothing of it: neither figures nor which there are. */
export function AdminPage({ title, children }: AdminPageProps) {
  usePageTitle(title);
  const { player, role } = useSession();
  const [location] = useLocation();
  if (player === null || role === null) return <AccessDenied />;
  return (
    <Queries>
      <nav className="admin-nav" aria-label="Administration">
        {LINKS.map(({ href, text }) => (
          <Link key={href} href={href} aria-current={href === location ? "page" : undefined}>
            {text}
          </Link>
        ))}
      </nav>
      {children(player.id, role)}
    </Queries>
  );
}
