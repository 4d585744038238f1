import type { ReactNode } from "react";
import { PracticePagePlaceholder } from "../../features/home/practice/practice-frame.tsx";
import { PracticePlaceholder } from "../../features/home/practice/practice-placeholder.tsx";
import { TablePlaceholder } from "../../features/table/table-placeholder.tsx";
import { Coin } from "../../ui/icon/coin.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { PageHead } from "../../ui/layout/page-head.tsx";

interface Outline {
  readonly title: string;
  readonly content: ReactNode;
  /** Visitors are sent to log in, so only players see it. */
  readonly playersOnly?: true;
}

function Block({ kind }: { readonly kind: string }) {
  return <i className={`skeleton ${kind}`} />;
}

function Home() {
  return (
    <section className="hero">
      <div>
        <p className="tagline">Play game. Set stakes. Win coins.</p>
        <h1>Stake with HC Coins</h1>
        <p className="subline">Play Games and Win Holocoins!</p>
        <div className="hero-actions">
          <Block kind="button-outline" />
          <Block kind="button-outline" />
        </div>
        <div className="live-numbers" />
      </div>
      <section className="ready-to-play for-visitors">
        <h2>Ready to Play?</h2>
        <PracticePlaceholder />
        <div className="rate-and-login">
          <p className="exchange-rate">
            <Coin size={32} />
            <Block kind="rate-outline" />
          </p>
          <span className="link alone">Start Playing Now</span>
        </div>
      </section>
    </section>
  );
}

function Matches() {
  return (
    <>
      <PageHead title="Matches">
        <Block kind="button-outline" />
      </PageHead>
      <Block kind="bar" />
      <div className="match-filters">
        <Block kind="bar" />
        <Block kind="bar" />
      </div>
      <div className="tickets">
        <Block kind="ticket-outline" />
        <Block kind="ticket-outline" />
        <Block kind="ticket-outline" />
        <Block kind="ticket-outline" />
      </div>
    </>
  );
}

function Columns({ title, className }: { readonly title: string; readonly className: string }) {
  return (
    <>
      <PageHead title={title} />
      <div className={className}>
        <Block kind="column" />
        <Block kind="column" />
      </div>
    </>
  );
}

function Profile() {
  return (
    <div className="profile-loading">
      <div className="profile-head">
        <Disc seat={1} crowned size={72} />
        <div className="who">
          <Block kind="name" />
        </div>
      </div>
      <Block kind="row" />
      <Block kind="row" />
      <Block kind="row" />
      <Block kind="row" />
    </div>
  );
}

function Leaderboard() {
  return (
    <div className="leaderboard">
      <PageHead title="Leaderboard" />
      <div className="leaderboard-choice">
        <Block kind="bar" />
      </div>
      <div className="leaderboard-loading">
        <Block kind="row" />
        <Block kind="row" />
        <Block kind="row" />
      </div>
    </div>
  );
}

function AccountForm({ title }: { readonly title: string }) {
  return (
    <div className="account-form">
      <div className="discs">
        <Disc seat={1} size={64} />
        <Disc seat={2} size={64} />
      </div>
      <h1>{title}</h1>
      <Block kind="column" />
    </div>
  );
}

function Text({ title }: { readonly title: string }) {
  return (
    <article className="text-page">
      <div className="back-outline" />
      <h1>{title}</h1>
    </article>
  );
}

/** What the server sends of each page while nothing is known about the viewer. */
export const OUTLINES: Readonly<Record<string, Outline>> = {
  "/": { title: "Stake with HC Coins", content: <Home /> },
  "/matches": { title: "Matches", content: <Matches /> },
  "/create-match": {
    title: "Create Match",
    content: <Columns title="Create Match" className="create-match" />,
    playersOnly: true,
  },
  "/game/:gameId": { title: "Game", content: <TablePlaceholder /> },
  "/login": { title: "Login", content: <AccountForm title="Login" /> },
  "/register": { title: "Create Account", content: <AccountForm title="Create Account" /> },
  "/forgot-password": { title: "Forgot Password", content: <AccountForm title="Forgot Password" /> },
  "/wallet": { title: "Wallet", content: <Columns title="Wallet" className="wallet" /> },
  "/practice": { title: "Practice", content: <PracticePagePlaceholder /> },
  "/leaderboard": { title: "Leaderboard", content: <Leaderboard /> },
  "/profile": { title: "Profile", content: <Profile />, playersOnly: true },
  "/about": { title: "About", content: <Text title="About" /> },
  "/terms": { title: "Terms of Service", content: <Text title="Terms of Service" /> },
  "/privacy": { title: "Privacy Policy", content: <Text title="Privacy Policy" /> },
  "/fair-play": { title: "Fair Play", content: <Text title="Fair Play" /> },
  "/contact": { title: "Contact", content: <Text title="Contact" /> },
};
