// Parts of a page for those who may use them. The frame knows what its viewer may do; forms, buttons and links that
// would be refused are absent.
import { type AnchorHTMLAttributes, createContext, type ReactNode, useContext } from "react";
import type { Holder, Right } from "../../../shared/rights.ts";

export type Permissions = {
  /** Whether they have a right; for an account, whether they have it over that. */
  may: (right: Right, account?: Holder) => boolean;
  /** Whether the page at an address of this shop may be opened. */
  mayOpen: (address: string) => boolean;
  /** Whether an account is their own. */
  isSelf: (userId: number) => boolean;
};

/** Outside of a frame nobody has a right, as a visitor. */
export const PermissionsContext = createContext<Permissions>({
  may: () => false,
  mayOpen: () => true,
  isSelf: () => false,
});

export function usePermissions(): Permissions {
  return useContext(PermissionsContext);
}

type PermitProps = {
  right: Right;
  /** The account that it is about: those of staff are for owners only. */
  over?: Holder;
  /** What others see instead. */
  otherwise?: ReactNode;
  children: ReactNode;
};

/** Its content for those with a right. */
export function Permit({ right, over, otherwise = null, children }: PermitProps) {
  return usePermissions().may(right, over) ? children : otherwise;
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string;
  /** It names something: whoever may not open its page reads the name all the same. */
  isName?: boolean;
};

/** A link for those who may open its page. */
export function PageLink({ href, isName = false, children, ...rest }: LinkProps) {
  if (!usePermissions().mayOpen(href)) return isName ? children : null;
  return (
    <a href={href} {...rest}>
      {children}
    </a>
  );
}
