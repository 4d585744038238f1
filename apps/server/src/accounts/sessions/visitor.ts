/** The origin of a request, as determined by the transport. */
export interface Visitor {
  /** The client's network address, IPv6 cut to /64. */
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookie: string | undefined;
}
