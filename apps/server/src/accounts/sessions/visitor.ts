/** Where a request comes from, as the transport found out. */
export interface Visitor {
  /** The client's address; an IPv6 one cut to its /64. */
  readonly address: string;
  readonly userAgent: string;
  /** The request's Cookie header. */
  readonly cookie: string | undefined;
}
