import { formatCoins, PAYMENT_KOBO_MIN } from "@holo/kernel/money.ts";
import { FIRST_MOVE_LIMIT_MS, OUTAGE_BONUSES_MAX, RETURN_LIMIT_MS, WAITING_LIMIT_MS } from "@holo/table/clock.ts";
import { LOG_RECORDS_MAX } from "@holo/table/log-record.ts";
import { TAKEBACKS_MAX } from "@holo/table/offers.ts";
import { toTerms } from "@holo/table/platform-fee.ts";
import { Link } from "wouter";
import { useSession } from "../../lib/session/session.ts";
import { PIECE_COUNTS } from "../../shared/match/match.ts";
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
      lead="These are the rules between you and Holo Arena. They are written to be read. By creating an account you accept them."
    >
      <TextSection title="Who may play">
        <p>
          You have to be 18 or older. One person has one account and plays for themselves: no help from programs or from
          other people during a game, no playing on another's account, no losing on purpose. Two players who withdraw to
          the same bank account cannot play each other.
        </p>
        <p>Practice against the computer costs nothing and needs no account.</p>
      </TextSection>
      <TextSection title="Stakes and the fee">
        <p>
          You choose a stake of 1, 2, 5 or 10 holocoins (HC) for each piece. Checkers has {PIECE_COUNTS.checkers} pieces
          for each player, chess {PIECE_COUNTS.chess}. Stake times pieces is your stake total; the fee of {fee} is added
          to it, and together they are your entry. Your entry leaves your wallet when you create or join a match, and is
          held until the match ends.
        </p>
        <Example feeBps={feeBps} />
        <p>
          A match keeps the fee at which it was created. A change of the fee or of the rate holds for what is begun
          after it, never for what has begun.
        </p>
      </TextSection>
      <TextSection title="How a match ends">
        <ul>
          <li>
            <b>Win:</b> the winner receives both stake totals. A match is won on the board, by the other's resignation,
            or when the other's clock runs out.
          </li>
          <li>
            <b>Draw:</b> each player receives their stake total; the fee is kept. Chess is drawn by stalemate, threefold
            repetition, fifty moves or too little material, checkers by the automatic draws of Russian draughts, both by
            agreement. In chess, a clock that runs out is a draw where the other side could not mate by any moves. A
            game of {LOG_RECORDS_MAX.toLocaleString("en")} moves and offers, far more than any real one, is a draw.
          </li>
          <li>
            <b>Cancel:</b> until both players have made two moves either may cancel, and each receives their whole
            entry, fee included. A match that nobody joins is cancelled after {WAITING_LIMIT_MS / MINUTE_MS} minutes,
            and one in which a player does not make their first move within {FIRST_MOVE_LIMIT_MS / SECOND_MS} seconds of
            their turn as well.
          </li>
          <li>
            <b>Resign or offer a draw:</b> possible once both players have made two moves.
          </li>
        </ul>
        <p>
          Who cancels games that have begun, or misses the first move, three times in ten games waits 5 minutes before
          the next game, and 30 minutes from the fourth time on.
        </p>
      </TextSection>
      <TextSection title="Clocks, takebacks and outages">
        <p>
          Each player has five or ten minutes for the whole game. Clocks run once both have moved, and they are kept by
          our server; the time that your move spends on the network is credited within limits that the game's record
          shows.
        </p>
        <p>
          A takeback is a request: it restores the board before your last move only if your opponent agrees, and leaves
          the clocks as they are. Each player can take back {TAKEBACKS_MAX} times in a game. Players can refuse all
          takebacks.
        </p>
        <p>
          If our service fails, your clock gets back what the outage took from it, and ten seconds more the first{" "}
          {OUTAGE_BONUSES_MAX} times in a match. After an outage of more than a minute your clock runs only once you are
          back, or after {RETURN_LIMIT_MS / MINUTE_MS} minutes if your opponent is back and you are not. If neither of
          you is back by then, the match is void and both receive their whole entry. If your own connection fails, your
          clock goes on.
        </p>
      </TextSection>
      <TextSection title="Deposits">
        <p>
          {formatRate(rateKobo)}. You can deposit {minimum} or more, by card or bank, through Paystack. Coins are
          credited when Paystack confirms the payment, at the rate at which you began it. If a fee of the provider is
          yours to bear, it is shown before you pay. A payment that differs from what was asked for is held until one of
          our people has credited or refunded it; you see that in your wallet.
        </p>
        <p>
          A deposit that is charged back takes its coins with it. If you have played them away they become a debt, which
          is repaid from what comes in next and keeps you from withdrawing until then.
        </p>
      </TextSection>
      <TextSection title="Withdrawals">
        <ul>
          <li>
            You can withdraw {minimum} or more to a Nigerian bank account, once you have verified your email address.
          </li>
          <li>
            Deposits and net winnings settle in 24 hours (T+1): until then you can play with them, but not withdraw
            them. Losses are counted against what came in last. Your wallet shows what is free and when the rest will
            be.
          </li>
          <li>
            You can also withdraw coins that you never played with, minus what Paystack charges us for that deposit and
            for the transfer. You see this fee before you confirm. Coins you've played with are withdrawn first and have
            no fee.
          </li>
          <li>A bank account used for the first time needs your password again, and we mail you about it.</li>
          <li>
            While we look into your games or payments, one of our people may hold your withdrawals. Your wallet then
            says why. Your coins stay yours, and what you had asked for is sent when the hold ends.
          </li>
          <li>
            The coins leave your wallet when your request is accepted. If the transfer fails for good, they come back. A
            transfer whose fate is unknown is followed up until the provider is sure; it is never sent twice.
          </li>
        </ul>
      </TextSection>
      <TextSection title="Limits and breaks">
        <p>
          On your{" "}
          <Link href="/profile" className="link">
            profile
          </Link>{" "}
          you can limit what you deposit in a day, a week or a month, the stake you play for, and be reminded of the
          length of a session. A tighter limit holds at once, a looser one after 24 hours. A break lasts 24 hours, 7
          days, 30 days or 6 months and cannot be taken back: waiting matches are cancelled, an active game may be
          finished, and withdrawing stays open. Neither ends by deleting the account: while a break lasts, and for a day
          after an account with limits was deleted, its mailbox gets no new one.
        </p>
      </TextSection>
      <TextSection title="Fair play and conduct">
        <p>
          Chat is for the two players of a game. Abusive messages are blocked; you can mute, block and report a player.
          For cheating, agreed results or abuse we may refuse further play. Coins that are rightfully yours stay yours:
          blocking a player does not take them.
        </p>
      </TextSection>
      <TextSection title="Closing your account">
        <p>
          You can close your account on your profile whenever no game is open, nothing is still settling and no debt is
          open. Everything that is withdrawable is sent to your bank account, also under the minimum. From then on the
          account neither deposits nor plays; what still comes in remains yours to take out. Once nothing is left or
          under way you can delete it; what then is removed and what stays under a name that is nobody's is told by the{" "}
          <Link href="/privacy" className="link">
            Privacy Policy
          </Link>
          .
        </p>
      </TextSection>
      <TextSection title="Complaints">
        <p>
          If you think that a result, a payment or a decision of ours is wrong,{" "}
          <Link href="/contact" className="link">
            write to us
          </Link>{" "}
          with the address of the game or the reference of the payment. We look at the game's record and the ledger,
          which neither side can change, and tell you what we found. Nothing in these terms takes away rights that the
          law gives you, among them to turn to a consumer protection authority or a court.
        </p>
      </TextSection>
      <TextSection title="Changes">
        <p>
          When these terms change, the new text stands here. What was begun under the old one is ended under the old
          one. Who does not accept a change can close their account and withdraw what is theirs.
        </p>
      </TextSection>
    </TextPage>
  );
}

function Example({ feeBps }: { readonly feeBps: number }) {
  const terms = toTerms(EXAMPLE_STAKE, PIECE_COUNTS.checkers, feeBps);
  return (
    <Receipt>
      <ReceiptRow term={`Checkers at ${EXAMPLE_STAKE} HC a piece: stake total`}>
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
