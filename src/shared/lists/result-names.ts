// Names of people in Ghana that are written small in front of a number. A word that is none asks: "stuck 0241234567".

/** How most names of Ghana end, and few English words: "ama", "owusu", "mensah", "osei", "boateng". */
const ENDING = /^\p{L}+(?:[aiou]|[aeo]h|ei|teng|pong)$/u;
/** Words with such an end that are no names. */
const NO_NAMES = new Set(
  (
    "afa agenda ago alibi alpha also anti audio auto bah beta biaa bio blah circa combo criteria daabi dabi " +
    "data delta demo dilemma ditto doh drama duh echo embargo error evoda extra fiasco formula gamma gyina " +
    "hello huh hurrah incognito info into kasala katakata lieu limbo loco logo macho media meh memo menu momo " +
    "mono mpo multi nada nah onto ooh palava phobia photo pizza placebo promo pseudo quasi quota ratio redo " +
    "saa saga schema semi sika solo stigma sushi taboo taxi tempo thou thru too trauma trio turbo two typo " +
    "undo unto veto via video wahala who wifi yeah yello you zero"
  ).split(" "),
);
const OTHERS = new Set(
  (
    "abdul abigail adwoa agnes agyeman agyemang ahmed akos alex ali alice allotey amin amos anane andrews " +
    "annan anthony arthur asante auntie aziz beatrice ben benjamin bernard bismark blessing bright caleb " +
    "caroline charles charlotte christian clement collins comfort cynthia daniel david dennis derrick dorcas " +
    "doris ebenezer edward elizabeth emmanuel enoch eric ernest esther eunice evans ezekiel felix florence " +
    "francis frank fred frederick george gideon gifty gilbert gloria godfred grace hannah harriet helen henry " +
    "ibrahim inkoom irene isaac jacob james janet jennifer john jonathan joseph joshua joyce junior justice " +
    "king kingsley kwadwo kwame kwasi lamptey larbi larkai lawrence linda louis lucy lydia maame margaret " +
    "martin mary matthew mercy michael mohammed muhammed musah nancy nathaniel nicholas nortey patience " +
    "patrick paul peter philip prince prosper quartey quaye queen rachel rashid raymond richard robert rose " +
    "ruth samuel sandra sarah senior seth sharon simon sis sister solomon stephen susan tagoe tawiah theresa " +
    "thomas uncle vida vincent vivian wilson yakubu yaw zainab"
  ).split(" "),
);

export const isGhanaianName = (word: string) => OTHERS.has(word) || (ENDING.test(word) && !NO_NAMES.has(word));
