// Google's library in C++, timed as bench/engine.ts times the others: see peers.ts.
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>
#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

struct Sample {
  std::string e164, dialed, country;
};

static const PhoneNumberUtil& util = *PhoneNumberUtil::GetInstance();

/** Results end here, so that no work can be left out as unused. */
static size_t seen = 0;

static PhoneNumber Parse(const std::string& text, const std::string& country) {
  PhoneNumber number;
  if (util.Parse(text, country, &number) != PhoneNumberUtil::NO_PARSING_ERROR) std::exit(1);
  return number;
}

static void Facts(const PhoneNumber& number) {
  std::string region;
  util.GetRegionCodeForNumber(number, &region);
  seen += util.IsValidNumber(number) + region.size() + util.GetNumberType(number);
}

static void Formats(const PhoneNumber& number) {
  std::string national, international;
  util.Format(number, PhoneNumberUtil::NATIONAL, &national);
  util.Format(number, PhoneNumberUtil::INTERNATIONAL, &international);
  seen += national.size() + international.size();
}

static double Spent() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int, char** arguments) {
  const int rounds = std::stoi(arguments[1]);
  std::vector<Sample> samples;
  for (Sample sample; std::getline(std::cin, sample.e164, '\t') && std::getline(std::cin, sample.dialed, '\t') &&
                      std::getline(std::cin, sample.country);)
    samples.push_back(sample);
  const std::vector<std::pair<std::string, std::function<void(const Sample&)>>> tasks = {
      {"whole result of E.164",
       [](const Sample& sample) {
         const PhoneNumber number = Parse(sample.e164, "ZZ");
         Facts(number);
         Formats(number);
       }},
      {"valid, type, region of E.164", [](const Sample& sample) { Facts(Parse(sample.e164, "ZZ")); }},
      {"parse E.164", [](const Sample& sample) { seen += Parse(sample.e164, "ZZ").national_number(); }},
      {"parse national format",
       [](const Sample& sample) { seen += Parse(sample.dialed, sample.country).national_number(); }},
  };
  for (const auto& [name, run] : tasks) {
    // The first round is for warming up.
    for (int round = -1; round < rounds; round++) {
      const double started = Spent();
      size_t calls = 0;
      while (Spent() - started < 200e6) {
        for (const Sample& sample : samples) run(sample);
        calls += samples.size();
      }
      if (round >= 0) std::printf("%s\t%f\n", name.c_str(), (Spent() - started) / calls);
    }
  }
  return seen == 0;
}
