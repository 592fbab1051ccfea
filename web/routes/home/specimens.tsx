import { useState } from "react";
import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { anatomyOf, verdictOf } from "../../components/anatomy/anatomy-of.ts";
import { Segmented } from "../../components/ui/segmented.tsx";
import { SPECIMENS } from "../../content/specimens.ts";

/** The anatomy of the sandbox's three valid numbers, one at a time. */
export function Specimens() {
  const [chosen, choose] = useState("BR");
  const specimen = SPECIMENS.find(({ country_code }) => country_code === chosen) ?? SPECIMENS[0];
  return (
    <figure className="mt-12 border-y border-line py-7 md:mt-12 md:py-8">
      <figcaption className="flex flex-wrap items-center justify-between gap-3">
        <span className="label">The anatomy of a number</span>
        <Segmented
          size="sm"
          label="Example number"
          value={chosen}
          onChange={choose}
          options={SPECIMENS.map(({ country_code, country_name }) => ({
            value: country_code ?? "",
            label: country_name ?? "",
          }))}
        />
      </figcaption>
      <Anatomy
        key={chosen}
        parts={anatomyOf(specimen)}
        verdict={verdictOf(specimen)}
        className="mt-7 min-h-72 md:mt-8 md:min-h-72"
      />
    </figure>
  );
}
