import { formatCoins, PAYMENT_KOBO_MIN } from "@holo/kernel/money.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { FIRST_MOVE_LIMIT_MS, OUTAGE_BONUSES_MAX, RETURN_LIMIT_MS, WAITING_LIMIT_MS } from "@holo/table/clock.ts";
import { LOG_RECORDS_MAX } from "@holo/table/log-record.ts";
import { TAKEBACKS_MAX } from "@holo/table/offers.ts";
import { Link } from "wouter";
import { useSession } from "../../lib/session/session.ts";
import { toGameTerms } from "../../shared/match/match.ts";
import { formatLimits, formatPieceCounts, formatStakes } from "../../shared/match/offer-texts.ts";
import { formatNaira, formatPercent, formatRate } from "../../shared/money/naira.ts";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { TextPage, TextSection } from "./text-page.tsx";

const EXAMPLE_STAKE = 5;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export default function TermsPage() {
  const { rateKobo, feeBps } = useSession().settings;
  const fee = formatPercent(feeBps);
  const minimum = formatNaira(PAYMENT_KOBO_MIN);
  return (
    <TextPage
      title="Terms of Service"
      lead="These are the rules between you and Holo Arena, in plain words. By creating an account you accept them."
    >
      <TextSection title="Who may play">
        <p>
          You have to be 18 or older. One person has one account and plays for themselves: no help from programs or
          other people during a game, no playing on someone else's account, no losing on purpose. Two players who share
          a bank account, a card or a device can't play each other for coins. Free games are open to them.
        </p>
        <p>Practice against the computer costs nothing and needs no account.</p>
      </TextSection>
      <TextSection title="Stakes and the fee">
        <p>
          You choose a stake of {formatStakes()} (holocoins) for each piece of one player. {formatPieceCounts()}. Stake
          times pieces is your stake total; the fee of {fee} is added to it, and together they are your entry. Your
          entry leaves your wallet when you create or join a match, and is held until the match ends.
        </p>
        <Example feeBps={feeBps} />
        <p>
          A free game has no stake and no fee, and nothing to win. The rules and clocks are the same. It doesn't count
          in your win rate or in the leaderboard.
        </p>
        <p>
          A match keeps the fee from when it was created. A new fee or rate applies only to matches and payments started
          after the change.
        </p>
      </TextSection>
      <TextSection title="How a match ends">
        <ul>
          <li>
            <b>Win:</b> the winner receives both stake totals. You win on the board, when your opponent resigns, or when
            their clock runs out.
          </li>
          <li>
            <b>Draw:</b> each player receives their stake total; the fee is kept.{" "}
            {GAMES.map(({ draws }) => draws).join(" ")} Players can agree to a draw in every game. A game that reaches{" "}
            {LOG_RECORDS_MAX.toLocaleString("en")} moves and offers, far more than any real game, is a draw.
          </li>
          <li>
            <b>Cancel:</b> until both players have made two moves, either can cancel, and each gets their whole entry
            back, fee included. A match that nobody joins is cancelled after {WAITING_LIMIT_MS / MINUTE_MS} minutes. A
            match is also cancelled if a player doesn't make their first move within {FIRST_MOVE_LIMIT_MS / SECOND_MS}{" "}
            seconds of their turn.
          </li>
          <li>
            <b>Resign or offer a draw:</b> possible once both players have made two moves.
          </li>
        </ul>
        <p>
          If you cancel started games or miss first moves three times in ten games, you wait 5 minutes before the next
          game, and 30 minutes from the fourth time on.
        </p>
      </TextSection>
      <TextSection title="Clocks, takebacks and outages">
        <p>
          Each player has {formatLimits()} for the whole game. Clocks run once both have moved, and our server keeps
          them. You get back the time your move spends on the network, within limits that the game's record shows.
        </p>
        <p>
          A takeback is a request: if your opponent agrees, it restores the board before your last move. The clocks stay
          as they are. Each player can take back {TAKEBACKS_MAX} times in a game. Players can refuse all takebacks.
        </p>
        <p>
          If our service fails, your clock gets back the time the outage took, and ten seconds more the first{" "}
          {OUTAGE_BONUSES_MAX} times in a match. After an outage of more than a minute your clock runs only once you're
          back, or after {RETURN_LIMIT_MS / MINUTE_MS} minutes if your opponent is back and you aren't. If neither of
          you is back by then, the match is cancelled and both get their whole entry back. If your own connection fails,
          your clock keeps running.
        </p>
      </TextSection>
      <TextSection title="Deposits">
        <p>
          {formatRate(rateKobo)}. You can deposit {minimum} or more, by card or bank, through Paystack. We credit coins
          when Paystack confirms the payment, at the rate shown when you started it. That rate holds for 30 minutes; a
          later payment gets the rate at that moment. If you have to pay a Paystack fee, we show it before you pay. If
          the amount we receive is different, we hold the payment until our team has credited or refunded it. You see
          this in your wallet.
        </p>
        <p>
          If your bank reverses a deposit, its coins are removed. If you've already spent them, you owe them: your next
          coins repay them first, and until then you can't stake coins or withdraw.
        </p>
      </TextSection>
      <TextSection title="Withdrawals">
        <ul>
          <li>
            You can withdraw {minimum} or more to a Nigerian bank account, once you have verified your email address.
          </li>
          <li>
            Deposits and net winnings settle in 24 hours (T+1): until then you can play with them, but not withdraw
            them. Losses count against the newest coins first. Your wallet shows what's available and when the rest will
            be.
          </li>
          <li>
            You can also withdraw coins that you never played with, minus what Paystack charges us for that deposit and
            for the transfer. You see this fee before you confirm. Coins you've played with are withdrawn first and have
            no fee.
          </li>
          <li>
            If you paid for such coins by card, the first withdrawal of them waits 72 hours, and our team takes a look.
            Instead you can have the money sent back to your card at once, minus what Paystack charges us for the
            deposit. You see both before you confirm.
          </li>
          <li>The first time you use a bank account, we ask for your password and email you.</li>
          <li>
            If a withdrawal has coins from games that we want to check, these coins wait 72 hours at most, and the rest
            is sent. Our team may also hold all your withdrawals. Your wallet then says why. Your coins stay yours, and
            we send waiting withdrawals when the hold ends.
          </li>
          <li>
            The coins leave your wallet when your request is accepted. If the transfer fails for good, they come back.
            If its outcome is unclear, we follow it up until Paystack is sure. We never send it twice.
          </li>
        </ul>
      </TextSection>
      <TextSection title="Limits and breaks">
        <p>
          On your{" "}
          <Link href="/profile" className="link">
            profile
          </Link>{" "}
          you can limit your deposits per day, week or month and your stake, and get a reminder during long sessions. A
          lower limit applies at once, a higher one after 24 hours. A break lasts 24 hours, 7 days, 30 days or 6 months,
          and nobody can end it early. You choose whether it covers free games too. Waiting matches are cancelled, you
          can finish an active game, and you can always withdraw. Deleting your account doesn't end a break: you can't
          create a new account with that email until the break is over. If you had limits, you have to wait one day.
        </p>
      </TextSection>
      <TextSection title="Fair play and conduct">
        <p>
          Chat is for the two players of a game. Abusive messages are blocked; you can mute, block and report a player.
          We may block players for cheating, arranged results or abuse. Coins that are rightfully yours stay yours:
          blocking a player doesn't take them. If a game wasn't played fairly, two members of our team together can give
          its coins back to those who lost them. You can appeal once.{" "}
          <Link href="/fair-play" className="link">
            How fair play works
          </Link>
        </p>
      </TextSection>
      <TextSection title="Closing your account">
        <p>
          You can close your account on your profile when you have no open game, no debt and no coins waiting to settle.
          We send everything to your bank account, even below the minimum. After that you can't deposit or play, but you
          can withdraw anything that still comes in. Once nothing is left or in progress, you can delete the account.
          What we then remove and what stays is in the{" "}
          <Link href="/privacy" className="link">
            Privacy Policy
          </Link>
          .
        </p>
      </TextSection>
      <TextSection title="Complaints">
        <p>
          If you think a result, a payment or one of our decisions is wrong,{" "}
          <Link href="/contact" className="link">
            write to us
          </Link>{" "}
          with the game's link or the payment's reference. We check the game's record and the ledger, which nobody can
          change, and tell you what we found. These terms don't limit your legal rights, including your right to go to a
          consumer protection authority or a court.
        </p>
      </TextSection>
      <TextSection title="Changes">
        <p>
          When these terms change, you find the new ones here. Matches and payments that have already started end under
          the old ones. If you don't accept a change, you can close your account and withdraw your coins.
        </p>
      </TextSection>
    </TextPage>
  );
}

function Example({ feeBps }: { readonly feeBps: number }) {
  const game = GAMES[0]!;
  const terms = toGameTerms(game.id, EXAMPLE_STAKE, feeBps);
  return (
    <Receipt>
      <ReceiptRow term={`${game.name} at ${EXAMPLE_STAKE} HC a piece: stake total`}>
        {formatCoins(terms.stakeTotal)} HC
      </ReceiptRow>
      <ReceiptRow term={`Fee, ${formatPercent(feeBps)}`}>{formatCoins(terms.fee, "up")} HC</ReceiptRow>
      <ReceiptRow term="Your entry">{formatCoins(terms.buyIn, "up")} HC</ReceiptRow>
      <ReceiptRow term="Winner receives">{formatCoins(terms.winnings)} HC</ReceiptRow>
      <ReceiptRow term="After a draw each receives">{formatCoins(terms.drawReturn)} HC</ReceiptRow>
      <ReceiptRow term="After a cancel each receives">{formatCoins(terms.buyIn, "up")} HC</ReceiptRow>
    </Receipt>
  );
}
