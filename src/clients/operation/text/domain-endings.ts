const COUNTRIES =
  'ac ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ' +
  'ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et eu fi fj fk fm fo fr ' +
  'ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ' +
  'ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt ' +
  'mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw ' +
  'sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tp tr tt tv tw tz ' +
  'ua ug uk um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw ';

const COMMON =
  'com net org edu gov mil int info biz name pro mobi travel jobs asia cat coop museum tel app dev page blog live stream ' +
  'online site website world social club community xyz top shop store tech cloud space fun games game video media news ' +
  'press art design studio digital agency group team events show radio band photos pictures gallery house wiki software ' +
  'systems network zone link click host chat email guru ninja rocks plus today run works life love style fashion beer ' +
  'pizza cafe bar restaurant academy school university education foundation fund finance money bank capital ventures ' +
  'consulting services solutions support center city berlin hamburg koeln cologne wien paris london amsterdam brussels ' +
  'barcelona tokyo nyc africa moe gay lgbt party camp church lol wtf fail sucks vip win bet casino poker google youtube ';

/** The endings of hosts that every reader recognizes: the countries and the common ones. */
export const DOMAIN_ENDINGS: ReadonlySet<string> = new Set(`${COUNTRIES}${COMMON}`.trim().split(' '));
