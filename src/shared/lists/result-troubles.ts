// Words that money or a delivery went back, or may not have come: of results and of statements of money.

const TAKEN_BACK = new RegExp(
  "revers|charge ?back|refund|roll(?:ed|ing)? ?back|claw(?:ed)? ?back|\\brvr?sl?\\b|\\breturn(?:s|ed|ing)?\\b" +
    "|\\brecall|\\bund(?:o|one|oing)\\b|\\bvoid|\\bannul|\\bnullif|\\bretract" +
    "|\\b(?:sent|taken|given|paid|put|pulled|called|moved|went) back\\b",
  "i",
);
const UNSURE = new RegExp(
  "\\bfail(?:s|ed|ure|ures|ing)?\\b|\\bcancel|\\bpending|\\bdecli|\\breject|\\bdeni(?:ed|al)\\b|\\brefus" +
    "|\\babort|\\bexpire|\\btim(?:ed?|ing) ?-?out|\\berrors?\\b|\\berroneous|\\bdisput|\\b(?:on hold|held|hold)\\b" +
    "|\\bblock(?:ed|ing)?\\b|\\bsuspen|\\bawait|\\bwaiting|\\bprocessing|\\bin ?progress|\\bin transit|\\bqueued" +
    "|\\binitiated\\b|\\battempt|\\bduplicat|\\bwrong|\\bmistake|\\binvalid|\\binsufficient|\\bincomplete" +
    "|\\bno[nt]\\b|\\badjust|\\bcorrect(?:ion|ed|ing)|\\bbounce|\\bfraud|\\bstopped|\\bterminat|\\bscheduled" +
    "|\\bprovisional|\\binvestigat|\\bignore|\\bun-?(?:paid|settled|confirmed|cleared|processed|posted|verified" +
    "|success\\w*|completed?|resolved|known|authori[sz]ed|approved|credited|received|delivered)\\b" +
    // What is still to come, or only tried.
    "|\\bto (?:be|come|follow|confirm|pay)\\b|\\b(?:will|shall|would|should) (?:be|pay|come|send|follow|clear)\\b" +
    "|\\bpromise[ds]? (?:to|of|by|that)\\b|\\bpromised\\b|\\bpledge|\\bexpected|\\bdue\\b|\\btomorrow\\b|\\blater\\b" +
    "|\\bintend|\\bplanned\\b|\\bforecast|\\bestimate|\\bproposed\\b|\\bpro ?-?forma\\b|\\breserved\\b|\\bpre-?auth" +
    "|\\b(?:payment|money) requests?\\b|\\brequested\\b|\\bdraft\\b|\\bdummy\\b|\\btest(?:ing|s)?\\b|\\bsample\\b" +
    "|\\bsimulat|\\bunder review\\b|\\bsubject to\\b|\\bmaybe\\b|\\bperhaps\\b" +
    // What an account had before or after, and sums.
    "|\\b(?:opening|closing|starting|ending|previous|current|available|ledger) bal(?:ance)?\\b" +
    "|\\biou\\b|\\breceivable|\\bquotation|\\b(?:brought|carried) (?:forward|down)" +
    "|\\b[bc]\\/[fd]\\b|\\b(?:sub|grand)[- ]?total|^\\W*totals?\\W*$",
  "i",
);

/** Whether something went back where it came from. */
export const isAboutReturn = (text: string) => TAKEN_BACK.test(text);

/** Whether something may never have come, or may not stay. */
export const isUncertain = (text: string) => UNSURE.test(text);
