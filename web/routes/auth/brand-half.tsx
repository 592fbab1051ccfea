import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { anatomyOf } from "../../components/anatomy/anatomy-of.ts";
import { SPECIMENS } from "../../content/specimens.ts";

const PARTS = anatomyOf(SPECIMENS[0]);

/** What the product does, as a drawing. Decoration here: the landing page tells it to everybody. */
export function BrandHalf() {
  return (
    <div
      aria-hidden="true"
      className="hidden border-l border-line bg-sunken lg:flex lg:flex-col lg:justify-center lg:px-12 xl:px-20"
    >
      <p className="label">The anatomy of a number</p>
      <Anatomy parts={PARTS} className="mt-6" />
    </div>
  );
}
