import { XmlError } from "@rgrove/parse-xml";
import { expect, test } from "vitest";
import { childOf, childrenOf, lengthsOf, patternIn, readXml } from "./xml.ts";

const XML = `<!-- <left> out -->
<!DOCTYPE root [
  <!ELEMENT root (item*)>
]>
<root>
  <!-- a comment
       of two lines -->
  <item id="1" name="a &amp; b"
        more="x > y"/>
  <item id="2"><format>$1 $2</format></item>
  <desc>
    <possibleLengths national="[4-6],8" localOnly="3"/>
    <nationalNumberPattern>
      1(?:
        2|
        3
      )
    </nationalNumberPattern>
  </desc>
</root>
`;

test("elements, attributes, and texts are parsed, comments are not", () => {
  const root = readXml(XML);
  const items = childrenOf(root, "item");
  expect(items.map(({ attributes }) => attributes)).toEqual([{ id: "1", name: "a & b", more: "x > y" }, { id: "2" }]);
  expect(childOf(items[1]!, "format")!.text).toBe("$1 $2");
  expect(childOf(root, "comment")).toBeUndefined();
});

test("line breaks in patterns are removed, and ranges in lengths expanded", () => {
  const description = childOf(readXml(XML), "desc")!;
  expect(patternIn(description)).toBe("1(?:2|3)");
  expect(lengthsOf(description)).toEqual({ national: [4, 5, 6, 8], localOnly: [3] });
});

test.each([
  ["nothing", ""],
  ["text", "no elements"],
  ["an element that is left open", "<a><b></b>"],
  ["one that is closed in another", "<a><b></a></b>"],
  ["one that was never opened", "<a></a></b>"],
  ["an attribute without quotes", "<a b=c></a>"],
  ["an entity of another kind", "<a>&nbsp;</a>"],
])("%s is rejected", (_, xml) => {
  expect(() => readXml(xml)).toThrow(XmlError);
});

test("other forms of lengths are rejected", () => {
  const lengths = (national: string) => lengthsOf(readXml(`<d><possibleLengths national="${national}"/></d>`));
  expect(lengths("-1").national).toEqual([]);
  expect(() => lengths("4-6")).toThrow("Invalid lengths");
  expect(() => lengths("many")).toThrow("Invalid lengths");
});
