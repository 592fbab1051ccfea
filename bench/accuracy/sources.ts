/** A project whose tests are in the corpus. */
interface Source {
  readonly project: string;
  /** Its test file, as of the commit that was read. */
  readonly file: string;
  /** As an SPDX name. NOTICE names the holders of the copyright. */
  readonly license: string;
}

/** Facts of other projects' tests, in our words: inputs and what the test expects, without code. By the name in the corpus. */
export const SOURCES: Readonly<Record<string, Source>> = {
  validator: {
    project: "validator.js",
    file: "https://github.com/validatorjs/validator.js/blob/0009d022aecda9df4bdf21c2e6104eeb3570ff68/test/validators.test.js",
    license: "MIT",
  },
  phone: {
    project: "AfterShip phone",
    file: "https://github.com/AfterShip/phone/blob/115982636e5e0f46a1c262733adf06ccd20b7a91/__tests__/data.csv",
    license: "MIT",
  },
  phony: {
    project: "phony",
    file: "https://github.com/floere/phony/blob/01369d1aa9b0f4bef4b1c3a692c8bac76449bc57/spec/functional/plausibility_spec.rb",
    license: "MIT",
  },
  phonelib: {
    project: "phonelib",
    file: "https://github.com/daddyz/phonelib/blob/1c91b69952f19119dd31273a219595ee919579da/spec/phonelib_spec.rb",
    license: "MIT",
  },
  "libphonenumber-for-php": {
    project: "libphonenumber-for-php",
    file: "https://github.com/giggsey/libphonenumber-for-php/tree/0e9a03cdae6f9a6da1934b1256b877fbe1525f5c/tests/Issues",
    license: "Apache-2.0",
  },
};
