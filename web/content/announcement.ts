/** The end of Vonage Number Insight: https://developer.vonage.com/en/number-insight/overview. */
const NUMBER_INSIGHT_ENDS = "2027-02-04";

/**
 * Runs in `<head>` before the first paint: marks the page once the day is over everywhere, so that the bar is gone
 * without the site being built again, and without anything moving.
 */
export const ANNOUNCEMENT_SCRIPT = `if(Date.now()>Date.parse("${NUMBER_INSIGHT_ENDS}T23:59:59-12:00"))document.documentElement.dataset.announced=""`;
