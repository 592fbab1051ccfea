import { describe, expect, test } from "vitest";
import { verify } from "../../test/engine.ts";

/**
 * Ten landlines a country: public area codes with made-up subscriber digits. Google has one type for both in many of these
 * ranges, and a carrier's name, which is why no name may give a line type.
 */
const LANDLINES = {
  // SUBTEL: Santiago, Valparaíso, Los Andes, Concepción, Temuco, La Serena, Arica, Punta Arenas, Coyhaique, Talca.
  "+56": "221234567 322112233 342501234 412234567 452711234 512223344 582230123 612212345 672212345 712233445",
  // Copenhagen (3), North Zealand (4), Bornholm (56), Funen (62, 66), Jutland (75, 76, 86, 89, 98).
  "+45": "33121234 35818352 45871234 48241234 56951234 62815016 66121234 75121234 89449262 98121234",
  // DoT: Delhi, Mumbai, Kolkata, Chennai, Pune, then Bengaluru, Indore, Mysuru, Belagavi, and Visakhapatnam.
  "+91":
    "1123412345 2223412345 3323412345 4423412345 2023412345 8077848475 7317281320 8217385710 8317804425 8912433041",
  // ICASA: Johannesburg, Pretoria, Mbombela, Cape Town, Durban, then Johannesburg, Tshwane, Cape Town, Durban, Bloemfontein.
  "+27": "112341234 123411234 137521234 214181234 313041234 104920549 124926289 214924648 314922874 514927965",
};

test.each(Object.entries(LANDLINES))(
  "landlines of %s are never mobile, whatever carrier Google names",
  (code, numbers) => {
    const results = numbers.split(" ").map((number) => verify(code + number));
    expect(results.map(({ valid }) => valid)).toEqual(Array(10).fill(true));
    for (const { number, number_type, line_type } of results) {
      expect(["fixed_line", "fixed_line_or_mobile"], number!).toContain(number_type);
      expect([null, "fixed"], number!).toContain(line_type);
    }
    const named = results.filter(
      ({ number_type, carrier }) => number_type === "fixed_line_or_mobile" && carrier !== null,
    );
    expect(named.length).toBeGreaterThan(1);
  },
);

describe("Chile's plan has one type for both, and tells them apart by the first digits", () => {
  test.each([
    ["+56961234567", "mobile"],
    ["+56221234567", "fixed"],
    ["+56232123456", "fixed"],
    ["+56612212345", "fixed"],
    // Not an area code.
    ["+56811234567", null],
  ])("%s: %s", (number, line_type) => {
    expect(verify(number)).toMatchObject({
      number_type: "fixed_line_or_mobile",
      line_type,
      line_type_source: line_type && "numbering_plan",
      deliverability: { sms: "unknown", voice: "likely" },
    });
  });
});

describe("an Argentine number", () => {
  // Blocks by ENACOM, May 2026: 11 6766 of Movistar is mobile, 11 4618 is a landline's, and 2944 has both.
  test.each(["1167661234", "1146181234", "2944123456"])("without the 9 may be of either type: %s", (national) => {
    expect(verify(`+54${national}`)).toMatchObject({
      number_type: "fixed_line_or_mobile",
      line_type: null,
      line_type_source: null,
      deliverability: { sms: "unknown", voice: "likely" },
    });
  });

  test.each(["1167661234", "1146181234"])("with the 9 is mobile, as it's dialed: %s", (national) => {
    expect(verify(`+549${national}`)).toMatchObject({
      number_type: "mobile",
      line_type: "mobile",
      line_type_source: "numbering_plan",
      deliverability: { sms: "likely" },
    });
  });

  test("is a landline outside the area codes", () => {
    expect(verify("+546701234567")).toMatchObject({ number_type: "fixed_line", line_type: "fixed" });
  });
});
