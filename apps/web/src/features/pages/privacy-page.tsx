import { Link } from "wouter";
import { TextPage, TextSection } from "./text-page.tsx";

export default function PrivacyPage() {
  return (
    <TextPage
      title="Privacy Policy"
      lead="What we keep about you, why, who sees it, and for how long. We never sell your data, show ads or load trackers."
    >
      <TextSection title="What we keep, and why">
        <ul>
          <li>
            <b>Your account:</b> username, email address, whether it's verified, your settings, and your password as a
            hash that nobody can read. We need them to log you in and to reach you about your money.
          </li>
          <li>
            <b>Your sessions:</b> when you logged in, from which network address and with which browser, to keep you
            logged in and to notice intruders.
          </li>
          <li>
            <b>Your games:</b> every move with its time, offers and results. They prove who won, so we never change
            them.
          </li>
          <li>
            <b>Chat and reports:</b> what you write in a game, whom you mute or block, and what you report, to settle
            complaints.
          </li>
          <li>
            <b>Your money:</b> every transaction in your wallet, your deposits and withdrawals with their references,
            and the bank accounts you withdrew to (bank, number, name of the holder).
          </li>
          <li>
            <b>What accounts share:</b> a code for each bank account you withdrew to, each card you paid with, each
            browser you logged in with and, for each hour, each network address you used. It shows which accounts use
            the same one, so that nobody plays their own accounts for coins. The code is made with a secret of ours, and
            nobody can read the number or address from it.
          </li>
          <li>
            <b>Checks of fair play:</b> when coins of yours were held, why, what you wrote about it and what two people
            decided. The law asks us for such records.
          </li>
          <li>
            <b>Your limits and breaks,</b> to apply them. During a break we also keep a code made from your address, as
            explained below.
          </li>
        </ul>
        <p>We never see or keep your card number: you enter it at Paystack.</p>
      </TextSection>
      <TextSection title="Who sees it">
        <ul>
          <li>
            <b>Everyone:</b> your username, when you registered, your games and their results, and your place on the
            leaderboard.
          </li>
          <li>
            <b>Your opponent:</b> also what you write in your game's chat, and whether you are connected to the game.
          </li>
          <li>
            <b>Paystack,</b> our payment provider: your email address and the amount when you deposit, your bank account
            and the amount when you withdraw. Paystack's own policy explains what it does with them.
          </li>
          <li>
            <b>Our team:</b> what they need to settle a payment or a report. Everything they do with money or settings
            is logged, and they can't remove it from the log.
          </li>
          <li>
            <b>Authorities,</b> where the law requires it.
          </li>
        </ul>
        <p>No other player sees your email address, balance, payments or limits.</p>
      </TextSection>
      <TextSection title="On your device">
        <p>
          One cookie keeps you logged in. Scripts can't read it, and it ends with your session, a week after your last
          visit. Another, kept for 400 days, tells us that it's the same browser. Your browser also keeps your settings
          for the page and the board (theme, coordinates, sounds), which chat messages you have read, your practice game
          and your last ten reviews. None of this follows you to other sites.
        </p>
      </TextSection>
      <TextSection title="How long">
        <p>
          We keep your account's data as long as you have the account. A session ends when you log out, or a week after
          your last visit. We then erase it together with its network address. We erase the text of an email once it has
          been sent. We keep the codes of bank accounts and cards for a year after you last used them, those of browsers
          for 90 days, and those of networks for 30 days. We keep checks of fair play for five years, and those that
          took coins as long as the wallet transactions. Games and wallet transactions stay: other people played in
          those games, and we have to account for money.
        </p>
      </TextSection>
      <TextSection title="When you close your account">
        <p>
          We pay out your coins first. After that you can't play or deposit. Once nothing is left or in progress, you
          can delete the account on your profile. We then remove your name, email, password, devices, limits and bank
          accounts. The codes of bank accounts and cards stay for the rest of their year. Games with other players and
          our financial records stay, without your name. We also keep Paystack's code for the bank account you were last
          paid to, without its number or your name: if your bank returns money, we can send it there again.
        </p>
        <p>
          During a break or a block we keep a code made from your email address and a secret of ours. It stays if you
          change the address or delete your account. If you had limits, we keep it for one day after you delete the
          account. The code lets us recognize your email, so that deleting an account doesn't end a break, a block or a
          limit. Nobody can read your address from it. We erase it within an hour after it's no longer needed, and your
          download shows it.
        </p>
      </TextSection>
      <TextSection title="Your rights">
        <p>
          On your{" "}
          <Link href="/profile" className="link">
            profile
          </Link>{" "}
          you can download all your data in one file, see where you're logged in, and log out everywhere. To correct
          data, or to erase data that we don't have to keep,{" "}
          <Link href="/contact" className="link">
            write to us
          </Link>{" "}
          from the address of your account. You can also complain to a data protection authority.
        </p>
      </TextSection>
      <TextSection title="How it is protected">
        <p>
          Connections are encrypted. We keep passwords as hashes, links in emails work once, and repeated wrong
          passwords are slowed down. Emails wait encrypted until they're sent.
        </p>
      </TextSection>
    </TextPage>
  );
}
