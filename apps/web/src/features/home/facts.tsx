import { Link } from "wouter";
import { formatPercent } from "../../shared/money/naira.ts";
import "./facts.css";

/** What a visitor wants to know before the first deposit, each with the page that says more. */
export function Facts({ feeBps }: { readonly feeBps: number }) {
  const facts = [
    {
      title: "Paid through Paystack",
      text: "You pay on Paystack's own page. We never see your card.",
      href: "/about",
      more: "How coins work",
    },
    {
      title: "Withdraw after 24 hours",
      text: "Deposits and winnings are ready for your bank account a day later.",
      href: "/terms",
      more: "Terms of Service",
    },
    {
      title: `A ${formatPercent(feeBps)} fee, shown first`,
      text: "You see stake, fee and total before you pay anything.",
      href: "/about",
      more: "How a match works",
    },
    {
      title: "Every game can be checked",
      text: "Its record can't be changed unseen. Check it on the game's page.",
      href: "/matches",
      more: "See the games",
    },
  ];
  return (
    <section className="facts" aria-label="Good to know">
      <ul>
        {facts.map(({ title, text, href, more }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <Link href={href} className="link alone small">
              {more}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
