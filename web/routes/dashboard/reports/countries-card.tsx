import { useState } from "react";
import type { UsageReport } from "../../../../contract/reports.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../components/ui/card.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { countryName, flagOf } from "../../../lib/country-name.ts";
import { formatRate } from "../../../lib/figures.ts";
import { formatCount } from "./figures.ts";

const SHOWN = 10;
const UNKNOWN = "ZZ";

/** The country's flag. Systems without flags in their fonts show the two letters of the code instead, which says the same. */
function Flag({ code }: { code: string }) {
  return (
    <span
      aria-hidden="true"
      title={code === UNKNOWN ? undefined : code}
      className="inline-flex w-7 shrink-0 items-center justify-center text-xl leading-none text-muted"
    >
      {code === UNKNOWN ? "–" : flagOf(code)}
    </span>
  );
}

/** Where the verified numbers are from, most first. */
export function CountriesCard({ countries }: { countries: UsageReport["countries"] }) {
  const [all, setAll] = useState(false);
  const shown = all ? countries : countries.slice(0, SHOWN);
  return (
    <Card padding="none">
      <CardHeader
        title={<h2>Countries</h2>}
        description="Where the verified numbers belong. Unknown: no country could be told."
      />
      <Table mono hideCaption caption="Verifications by country" className="max-sm:[&_td]:px-2 max-sm:[&_th]:px-2">
        <thead>
          <tr>
            <Th>Country</Th>
            <Th numeric>Total</Th>
            <Th numeric>Successful</Th>
            <Th numeric>Rate</Th>
          </tr>
        </thead>
        <tbody>
          {shown.map((country) => (
            <tr key={country.country_code}>
              <Th scope="row" className="font-normal!">
                <span className="flex items-center gap-3">
                  <Flag code={country.country_code} />
                  {countryName(country.country_code)}
                </span>
              </Th>
              <Td numeric>{formatCount(country.total)}</Td>
              <Td numeric>{formatCount(country.successful)}</Td>
              <Td numeric>{formatRate(country)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {countries.length > SHOWN && (
        <div className="border-t border-line p-2">
          <Button variant="quiet" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the first ${SHOWN}` : `Show all ${countries.length} countries`}
          </Button>
        </div>
      )}
    </Card>
  );
}
