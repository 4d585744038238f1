import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../../ui/button/button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import "./text-page.css";

interface TextPageProps {
  readonly title: string;
  /** What the page says, before its sections. */
  readonly lead: ReactNode;
  readonly children: ReactNode;
}

/** A page to be read: its sections in one column, and the way back to where its reader came from. */
export function TextPage({ title, lead, children }: TextPageProps) {
  usePageTitle(title);
  return (
    <article className="text-page">
      <BackButton />
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {children}
    </article>
  );
}

/** Whoever came here first of all is led home. */
export function BackButton() {
  const [, navigate] = useLocation();
  return (
    <Button
      kind="quiet"
      size="small"
      className="back"
      onClick={() => (history.length > 1 ? history.back() : navigate("/"))}
    >
      <Icon name="previous" />
      Back
    </Button>
  );
}

interface TextSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function TextSection({ title, children }: TextSectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
