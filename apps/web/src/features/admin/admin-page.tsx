import type { RoleView } from "@holo/protocol/accounts/session.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { fetchApi } from "../../lib/api/api.ts";
import { Queries } from "../../lib/api/query.tsx";
import { loadSession, useSession } from "../../lib/session/session.ts";
import { toWanted } from "../../lib/session/wanted-page.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import "./admin-page.css";

/** Reloads the session: a role may be new, or the session has expired. */
function AccessDenied() {
  const { title, text } = toRefusalView("access_denied");
  const isLoggedIn = useSession().player !== null;
  useEffect(() => void loadSession(), []);
  return (
    <div className="access-denied">
      <Icon name="warn" size={24} />
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <div className="actions">
        {!isLoggedIn && (
          <ButtonLink href="/login" state={toWanted(window.location)} kind="primary">
            Login
          </ButtonLink>
        )}
        <ButtonLink href="/">Home</ButtonLink>
      </div>
    </div>
  );
}

/** If staff need login codes and have none, nothing else would load. */
function StaffCodes({ children }: { readonly children: ReactNode }) {
  const { player } = useSession();
  const queryKey = ["second-factor", player?.id];
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("secondFactor", {}, signal) });
  if (data === undefined || data.isOn || !data.isRequired) return children;
  const { title, text } = toRefusalView("second_factor_missing");
  return (
    <div className="access-denied">
      <Icon name="warn" size={24} />
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <ButtonLink href="/profile">Profile</ButtonLink>
    </div>
  );
}

const LINKS = [
  { href: "/admin/revenue", text: "Revenue" },
  { href: "/admin/reports", text: "Reports" },
  { href: "/admin/players", text: "Players" },
  { href: "/admin/fair-play", text: "Fair Play" },
] as const;

interface AdminPageProps {
  readonly title: string;
  readonly children: (playerId: string, role: RoleView) => ReactNode;
}

export function AdminPage({ title, children }: AdminPageProps) {
  usePageTitle(title);
  const { player, role } = useSession();
  const [location] = useLocation();
  if (player === null || role === null) return <AccessDenied />;
  return (
    <Queries>
      <nav className="admin-nav" aria-label="Administration">
        {LINKS.map(({ href, text }) => (
          <Link key={href} href={href} aria-current={location.startsWith(href) ? "page" : undefined}>
            {text}
          </Link>
        ))}
      </nav>
      <StaffCodes>{children(player.id, role)}</StaffCodes>
    </Queries>
  );
}
