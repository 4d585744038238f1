import type { ReactNode } from "react";
import { useSession } from "../../lib/session/session.ts";
import { buysNothing } from "../../shared/money/buys-nothing.ts";
import { ButtonLink } from "../../ui/button/button.tsx";

/** For players with few coins: if they buy nothing, a free game takes the place of `create`. */
export default function CreateLinks({ create }: { readonly create: ReactNode }) {
  const { balance, settings } = useSession();
  if (!buysNothing(balance, settings.feeBps)) return create;
  return (
    <>
      <ButtonLink href="/create-match?stake=0" kind="primary" size="large">
        Play free
      </ButtonLink>
      <ButtonLink href="/create-match" size="large">
        Create a Match
      </ButtonLink>
    </>
  );
}
