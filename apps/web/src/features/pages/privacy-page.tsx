import { Link } from "wouter";
import { TextPage, TextSection } from "./text-page.tsx";

export default function PrivacyPage() {
  return (
    <TextPage
      title="Privacy Policy"
      lead="What we keep about you, why, who sees it, and for how long. We sell nothing of it, show no advertising, and load nothing from trackers."
    >
      <TextSection title="What we keep, and why">
        <ul>
          <li>
            <b>Your account:</b> username, email address, whether it is verified, your settings, and your password as a
            hash that cannot be turned back. Without them nobody could log in, or be reached about their money.
          </li>
          <li>
            <b>Your sessions:</b> when you logged in, from which address on the network and with which browser, to keep
            you logged in and to notice who should not be.
          </li>
          <li>
            <b>Your games:</b> every move with its time, offers and results. They are the evidence of who won, so that
            they are never changed.
          </li>
          <li>
            <b>Chat and reports:</b> what you write at a table, whom you mute or block, and what you report, to settle
            complaints.
          </li>
          <li>
            <b>Your money:</b> every entry of your wallet, your deposits and withdrawals with their references, and the
            bank accounts you withdrew to (bank, number, name of the holder). A ledger that forgets would be none. If
            another player withdraws to the same bank account, we note which two players that is, so that they do not
            play each other. That note has no bank details and stays when an account is deleted.
          </li>
          <li>
            <b>Your limits and breaks,</b> to hold to them. A break is also known by a code made from your address, as
            told below.
          </li>
        </ul>
        <p>We never see or keep the number of your card: you enter it at Paystack.</p>
      </TextSection>
      <TextSection title="Who sees it">
        <ul>
          <li>
            <b>Everyone:</b> your username, when you registered, your games and their results, and your place on the
            leaderboard.
          </li>
          <li>
            <b>Your opponent:</b> also what you write in the chat of your game, and whether you are connected to it.
          </li>
          <li>
            <b>Paystack,</b> our payment provider: your email address and the amount when you deposit, your bank account
            and the amount when you withdraw. What Paystack does with it stands in its own policy.
          </li>
          <li>
            <b>Our team:</b> what they need to settle a payment or a report. What they do with money or settings is
            written down where they cannot remove it.
          </li>
          <li>
            <b>Authorities,</b> where a law obliges us.
          </li>
        </ul>
        <p>Your email address, balance, payments and limits are shown to no other player.</p>
      </TextSection>
      <TextSection title="On your device">
        <p>
          One cookie keeps you logged in; it cannot be read by scripts and goes with your session, which ends a week
          after you were last here. Your browser also keeps how you like the page and the board (light, coordinates,
          sounds) and which chat messages you have read. Nothing of that follows you to other sites.
        </p>
      </TextSection>
      <TextSection title="How long">
        <p>
          Your account's data is kept as long as you have the account. A session ends when you log out, or a week after
          you were last here, and is then erased with the address it came from. The text of a mail to you is erased once
          it has been sent. The records of games and the entries of the ledger stay: others played in those games, and
          money has to be accounted for.
        </p>
      </TextSection>
      <TextSection title="When you close your account">
        <p>
          What is yours is paid out first. After that the account can neither play nor deposit, and once nothing is left
          or under way you can delete it on your profile: your name, email, password, devices, limits and bank accounts
          are then removed. What has to stay, because it belongs to another player's game or to the accounts, stays
          under a name that is nobody's. So does Paystack's own code of the account you were paid to last, without its
          number or your name: should your bank send money back, it can be sent there again.
        </p>
        <p>
          While you take a break, or are blocked, we keep a code made from your e-mail address with a secret of ours,
          also where you change the address or delete your account; and for a day after that where you had limits. By it
          your mailbox is known again, and gets no new account until then, so that deleting an account ends nothing of
          that. Nobody can read your address from it. It is erased within an hour of when it is not needed any more, and
          your download shows it.
        </p>
      </TextSection>
      <TextSection title="Your rights">
        <p>
          On your{" "}
          <Link href="/profile" className="link">
            profile
          </Link>{" "}
          you can download everything that is yours in one file, see where you are logged in, and log out everywhere.
          For corrections, and for erasure of what we need not keep,{" "}
          <Link href="/contact" className="link">
            write to us
          </Link>{" "}
          from the address of your account. You can also complain to a data protection authority.
        </p>
      </TextSection>
      <TextSection title="How it is protected">
        <p>
          Connections are encrypted. Passwords are kept as hashes, links in mails work once, and whoever guesses
          passwords is slowed down. Mails wait encrypted until they are sent.
        </p>
      </TextSection>
    </TextPage>
  );
}
