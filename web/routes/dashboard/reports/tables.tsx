import { useState } from "react";
import type { ReactNode } from "react";
import { formatCount } from "../../../../contract/format.ts";
import type { UsageReport } from "../../../../contract/reports.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatRate } from "../../../lib/figures.ts";
import { countryName } from "../../../lib/format.ts";

/** The cells of a row below `Head`, after the first. */
export function Counts({ total, successful }: { total: number; successful: number }) {
  return (
    <>
      <Td numeric>{formatCount(total)}</Td>
      <Td numeric>{formatCount(successful)}</Td>
      <Td numeric>{formatCount(total - successful)}</Td>
      <Td numeric>{formatRate({ total, successful })}</Td>
    </>
  );
}

/** @param of what each row counts */
export function Head({ of }: { of: string }) {
  return (
    <thead>
      <tr>
        <Th>{of}</Th>
        <Th numeric>Total</Th>
        <Th numeric>Valid</Th>
        <Th numeric>Invalid</Th>
        <Th numeric>Rate</Th>
      </tr>
    </thead>
  );
}

/**
 * The columns of counts are as wide in each table. Total less invalid is valid, the third: a phone has no room for
 * all three.
 */
export const COUNTED =
  "sm:[&_table]:table-fixed sm:[&_th]:w-[16%] sm:[&_th:first-child]:w-auto max-sm:[&_tr>:nth-child(3)]:hidden [&_td]:px-2 [&_th]:px-2 max-[22rem]:[&_table]:text-sm max-[22rem]:[&_td]:px-1 max-[22rem]:[&_th]:px-1";

const SHOWN = 5;
const UNKNOWN = "ZZ";

/** Verifications by country, most first. */
export function CountriesCard({ countries }: { countries: UsageReport["countries"] }) {
  const [all, setAll] = useState(false);
  // The numbers of unknown countries are no country.
  const known = countries.filter(({ country_code: code }) => code !== UNKNOWN).length;
  return (
    <Card padding="none">
      <CardHeader title={<h2>Top Countries</h2>} />
      <Table hideCaption caption="Verifications by country" className={COUNTED}>
        <Head of="Country" />
        <tbody>
          {countries.map(({ country_code: code, ...counts }, at) => (
            // On paper, all of them.
            <tr key={code} className={all || at < SHOWN ? undefined : "hidden print:table-row"}>
              <Th scope="row" className="font-normal!">
                <span className="flex items-baseline gap-2">
                  <span aria-hidden="true" className="w-6 shrink-0 font-mono text-xs text-muted max-sm:hidden">
                    {code === UNKNOWN ? "–" : code}
                  </span>
                  {countryName(code)}
                </span>
              </Th>
              <Counts {...counts} />
            </tr>
          ))}
        </tbody>
      </Table>
      {countries.length > SHOWN && (
        <div className="border-t border-line p-2 print:hidden">
          <Button variant="quiet" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the first ${SHOWN}` : `Show all ${known} countries`}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Verifications by key, most first. */
export function KeysCard({ keys, download }: { keys: UsageReport["keys"]; download: ReactNode }) {
  return (
    <Card padding="none">
      <CardHeader title={<h2>Keys</h2>} description="Includes revoked keys." actions={download} />
      <Table hideCaption caption="Verifications by key" className={COUNTED}>
        <Head of="Key" />
        <tbody>
          {keys.map(({ key_id: id, name, mode, ...counts }) => (
            <tr key={`${id} ${mode}`}>
              <Th scope="row" className="font-normal!">
                <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                  {/* On a phone, wide enough for most words; only longer ones break. */}
                  <span className="max-sm:min-w-18 wrap-anywhere">{name ?? id}</span>
                  <Badge tone={mode}>{mode}</Badge>
                </span>
              </Th>
              <Counts {...counts} />
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
