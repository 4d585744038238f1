import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../../ui/button/button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import "./text-page.css";

interface TextPageProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
}

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

/** Without an earlier page in the app, back leads home. */
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
