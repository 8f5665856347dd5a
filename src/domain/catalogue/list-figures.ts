/** Number of rules and date of a list when the catalogue was made. Numbers with two significant digits are estimates. */
export type ListFigures = { readonly rules: number; readonly updatedAt: number };

/** For lists whose figures are not known. */
export const CATALOGUE_DATE = Date.UTC(2026, 10, 17);

// Id, rules, date of the version that was counted.
const figures = `
adguard_dns_filter 71000 2024-08-07
adguard_popup_filter 1100 2026-06-10
adguard_cname_trackers 100087 2026-05-22
1hosts_lite 54231 2022-04-22
1hosts_xtra 735818 2026-05-28
oisd_basic 56756 2026-08-08
oisd_full 136865 2024-10-14
steven_blacks_list 93515 2026-08-20
hagezi_multilight 45737 2026-10-01
hagezi_multinormal 200656 2026-10-01
hagezi_pro_mini 60007 2026-10-01
hagezi_pro 231053 2026-10-01
hagezi_pro++ 251762 2026-10-01
hagezi_ultimate 287640 2026-10-01
hagezi_popup_ads 50652 2026-10-01
peter_lowe_list 3522 2026-08-11
dan_pollocks_list 12000 2026-08-19
awavenue_ads_rule 668 2024-09-21
shadowwhisperer_tracking_list 69801 2022-03-04
shadowwhisperer_ads_list 15960 2022-03-04
adaway_hosts 7200 2026-08-20
easylist_hosts 21021 2026-11-17
easyprivacy_hosts 43000 2026-11-17
admiral_hosts 1700 2026-11-17
prigent_ads 3670 2026-11-17
anudeepnd_adservers 42363 2024-04-24
developerdan_ads_and_tracking 416435 2022-05-08
goodbyeads 277836 2024-04-24
frogeye_first_party_trackers 36906 2026-11-17
notrack_trackers 15734 2024-04-24
disconnect_simple_ads 2701 2024-04-24
disconnect_simple_tracking 34 2024-04-24
blocklistproject_ads 154554 2025-12-19
blocklistproject_tracking 143876 2026-07-20
mvps_hosts 6800 2021-03-06
mobile_ad_trackers 15000 2026-11-17
scam_blocklist_by_durablenapkin 900 2024-08-26
urlhaus_filter_online 18000 2022-11-23
urlhaus_hostfile 386 2026-08-20
dandelion_sprouts_anti_malware_list 33000 2025-06-16
phishing_army 100000 2025-06-07
curben_phishing_filter 27000 2026-03-18
staklerware_indicators_list 1000 2024-07-05
shadowwhisperers_malware_list 30908 2022-03-04
shadowwhisperers_scam_list 16348 2022-03-04
hagezi_threat_intelligence_feeds 2384850 2026-10-01
hagezi_threat_intelligence_feeds_medium 772676 2026-10-01
hagezi_threat_intelligence_feeds_mini 198059 2026-10-01
hagezi_newly_registered_domains 2200000 2026-10-01
hagezi_fake 17466 2026-10-01
ublock_badware_risks 5400 2026-11-17
hagezi_encrypted_dns_vpn_tor_proxy_bypass 16099 2026-10-01
hagezi_encrypted_dns 3336 2026-10-01
hagezi_dyndns_blocklist 1538 2026-10-01
hagezi_badware_hoster_blocklist 1238 2026-10-01
hagezi_the_worlds_most_abused_tlds 434 2026-02-25
hagezi_url_shortener_blocklist 9981 2026-10-01
hagezi_dns_rebind_protection 11 2026-01-21
nocoin_filter_list 330 2025-03-05
the_big_list_of_hacked_malware_web_sites 13821 2024-04-24
badd_boyz_hosts 1400 2026-08-20
spam404 8200 2026-11-17
coinblocker_browser 1200 2026-11-17
blocklistproject_malware 435220 2025-12-19
blocklistproject_phishing 190215 2026-07-20
blocklistproject_ransomware 1904 2025-12-19
blocklistproject_scam 1274 2025-12-19
blocklistproject_fraud 196082 2025-12-19
prigent_malware 62927 2026-11-17
prigent_crypto 14224 2026-11-17
rpilist_malware 564529 2024-04-24
rpilist_phishing 180000 2026-11-17
risky_hosts 2200 2026-08-20
notrack_malware 152 2024-04-24
referrer_spam 2300 2026-11-17
NOR_dandelion_sprouts_anti_malware_list 730 2025-02-26
POL_polish_filters_for_pi_hole 276 2024-04-24
POL_cert_polska_list_of_malicious_domains 105000 2024-04-24
POL_kadhosts 56000 2026-08-20
KOR_youslist 625 2024-04-24
KOR_list_kr 360 2024-08-26
VNM_abpvn 19599 2024-04-24
VNM_hostsvn 18893 2024-04-24
SWE_frellwit_swedish_hosts_file 1138 2024-04-24
IRN_unwanted_iranian_domains 289 2024-04-24
MKD_macedonian_pi_hole_blocklist 72 2019-04-21
CHN_anti_ad 86478 2025-04-10
CHN_adrules 64347 2022-02-26
CHN_easylist_china 14000 2020-09-04
IDN_abpindo 280 2024-08-20
TUR_turk_adlist 1217 2024-04-24
TUR_turkish_ad_hosts 1400 2023-07-31
HUN_hufilter 76 2020-11-27
LIT_easylist_lithuania 32 2022-06-27
ISR_easyList_hebrew 370 2024-08-13
ukrainian_security_filter 1800 2026-11-17
DEU_easylist_germany 6800 2024-11-26
FRA_liste_fr 13000 2020-09-04
ITA_easylist_italy 2900 2020-09-04
NLD_easylist_dutch 1500 2020-09-04
ESP_easylist_spanish 2600 2020-09-04
PRT_easylist_portuguese 2000 2024-11-26
RUS_adguard_russian 27000 2020-02-19
JPN_adguard_japanese 15000 2024-12-06
UKR_adguard_ukrainian 5000 2024-10-31
CZE_easylist_czech_slovak 1300 2019-02-22
BGR_bulgarian_list 1500 2018-10-23
ARA_liste_ar 2300 2020-09-04
IND_indianlist 15000 2024-11-26
ROU_rolist 250 2020-01-13
LVA_latvian_list 410 2020-06-05
GRC_greek_adblock 1300 2020-02-09
THA_easylist_thailand 470 2023-04-21
FIN_finland_adb 800 2026-11-17
no_google 1600 2024-07-05
dandelion_sprouts_anti_push_notifications 550 2023-03-09
hagezi_allowlist_referral 980 2026-10-01
hagezi_antipiracy_blocklist 53312 2026-10-01
hagezi_gambling_blocklist 572098 2026-10-01
hagezi_nsfw 83461 2026-10-01
hagezi_social_networks 899 2026-10-01
hagezi_no_safesearch 205 2026-10-01
shadowwhisperers_dating_list 1134 2025-10-18
hagezi_xiaomi_tracking_blocklist 352 2026-02-20
hagezi_samsung_tracker_blocklist 198 2026-04-27
hagezi_windows_office_tracker_blocklist 337 2024-07-13
hagezi_vivo_tracker_blocklist 234 2026-09-18
hagezi_oppo_realme_tracker_blocklist 488 2026-09-30
hagezi_apple_tracker_blocklist 108 2026-09-18
hagezi_amazon_tracker_blocklist 318 2026-02-20
hagezi_huawei_tracker_blocklist 119 2026-02-20
hagezi_lg_webos_tracker_blocklist 338 2026-04-27
hagezi_roku_tracker_blocklist 73 2026-09-27
hagezi_tiktok_tracker_blocklist 436 2026-09-18
dandelion_sprouts_game_console_adblock_list 8 2020-12-03
perflyst_dandelion_sprout_smart_tv_blocklist_for_adguard_home 158 2020-09-06
perflyst_android_tracking 40 2026-11-17
perflyst_amazon_fire_tv 16 2026-11-17
perflyst_session_replay 24 2026-11-17
windows_spy_blocker 350 2022-05-16
oisd_nsfw 477544 2026-10-07
steven_black_fakenews 2194 2025-04-10
steven_black_gambling 6490 2025-04-10
steven_black_porn 75364 2025-04-10
steven_black_social 3217 2025-04-10
blocklistproject_drugs 26031 2025-12-19
blocklistproject_facebook 22459 2025-12-19
blocklistproject_gambling 2500 2025-12-19
blocklistproject_piracy 2153 2025-12-19
blocklistproject_porn 500282 2025-12-19
blocklistproject_tiktok 3725 2026-06-22
sinfonietta_gambling 2639 2024-04-24
sinfonietta_porn 19000 2026-11-17
developerdan_facebook 28887 2022-05-08
developerdan_amp_hosts 15237 2022-05-08
developerdan_hate_and_junk 1652 2022-05-08
threatfox_hostfile 27000 2026-11-17
`;

const figuresById: ReadonlyMap<string, ListFigures> = new Map(
  figures
    .trim()
    .split('\n')
    .map((line) => {
      const [id, rules, date] = line.split(' ') as [string, string, string];
      return [id, { rules: Number(rules), updatedAt: Date.parse(date) }];
    }),
);

export const listFigures = (id: string): ListFigures | undefined => figuresById.get(id);
