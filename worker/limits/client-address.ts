/** For callers without an address, which exist only in tests and local runs. */
export const LOCAL_ADDRESS = "local";

/**
 * The address that limits count by: the one Cloudflare saw, or for IPv6 its /48, which is what a site gets and can vary
 * freely within. Homes and phones of one provider may share a /48 as they share an IPv4 address behind NAT, and have
 * the same limits. Callers without one count as one.
 * @param address the header CF-Connecting-IP
 */
export function clientAddress(address = LOCAL_ADDRESS): string {
  return address.includes(":") ? networkOf(address) : address;
}

/** The network of a client address: its /24 in IPv4, from which addresses are rented or assigned anew. */
export function clientNetwork(address: string): string {
  return address.replace(/\.\d+$/, ".0/24");
}

function networkOf(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const last = tail === "" ? [] : tail.split(":");
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => "0"), ...last);
  }
  const network = groups.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/48`;
}
